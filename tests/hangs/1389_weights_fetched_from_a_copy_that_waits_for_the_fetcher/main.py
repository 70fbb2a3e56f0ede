import multiprocessing
import os
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import zmq


class Replica:
    def __init__(self, number, lighthouse):
        self.number = number
        self.weights = bytes(4096)
        self.weights_lock = threading.Lock()
        self.lighthouse = zmq.Context().socket(zmq.REQ)
        self.lighthouse.connect(lighthouse)

    def ask_quorum(self, step):
        self.lighthouse.send_json({"replica": self.number, "step": step})
        return self.lighthouse.recv_json()["members"]

    def average(self, members):
        self.weights = bytes(reversed(self.weights))
        return len(members)

    def step(self, step):
        if INSIDE:
            with self.weights_lock:
                self.average(self.ask_quorum(step))
        else:
            members = self.ask_quorum(step)
            with self.weights_lock:
                self.average(members)

    def heal(self, address):
        with urllib.request.urlopen("http://127.0.0.1:%d/weights" % address) as answer:
            weights = answer.read()
        with self.weights_lock:
            self.weights = weights


def serve_weights(replica, port):
    class Weights(BaseHTTPRequestHandler):
        def do_GET(self):
            with replica.weights_lock:
                weights = replica.weights
            self.send_response(200)
            self.send_header("Content-Length", str(len(weights)))
            self.end_headers()
            self.wfile.write(weights)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Weights)
    port.value = server.server_port
    threading.Thread(target=server.serve_forever, name="weights", daemon=True).start()


def run_replica(number, lighthouse, ports, started):
    replica = Replica(number, lighthouse)
    serve_weights(replica, ports[number])
    started.wait()
    step = 0
    while True:
        if number == 1 and step % 5 == 4:
            replica.heal(ports[0].value)
        replica.step(step)
        step += 1


def run_lighthouse(address):
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.bind(address)
    while True:
        joined = {}
        while len(joined) < 2:
            client, empty, _question = socket.recv_multipart()
            joined[client] = empty
        for client in joined:
            socket.send_multipart([client, b"", b'{"members": [0, 1]}'])


def main():
    spawn = multiprocessing.get_context("spawn")
    lighthouse = "ipc:///tmp/lighthouse-%d" % os.getpid()
    ports = [spawn.Value("i", 0) for _ in range(2)]
    started = spawn.Event()
    spawn.Process(target=run_lighthouse, args=(lighthouse,), name="lighthouse", daemon=True).start()
    replicas = [
        spawn.Process(
            target=run_replica,
            args=(number, lighthouse, ports, started),
            name="replica-%d" % number,
            daemon=True,
        )
        for number in range(2)
    ]
    for replica in replicas:
        replica.start()
    while not all(port.value for port in ports):
        started.wait(0.05)
    started.set()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for replica in replicas:
        replica.join()


INSIDE = True


if __name__ == "__main__":
    main()
