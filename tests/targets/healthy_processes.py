"""Processes that work with each other, or wait for work: nothing is wrong in any of them."""

import concurrent.futures
import ctypes
import http.client
import http.server
import multiprocessing
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import threading
import time

from ready import ready

context = multiprocessing.get_context("fork")


def mortal():
    """End with the parent, and in time."""
    signal.alarm(120)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def start(play, *arguments):
    def run():
        mortal()
        play(*arguments)

    context.Process(target=run, daemon=True).start()


def rest():
    ready()
    while True:
        signal.pause()


def pipeline():
    """A busy producer and a busy consumer."""
    reader, writer = os.pipe()

    def produce():
        os.close(reader)
        while True:
            os.write(writer, b"x" * sum(range(3000)).bit_length() * 100)

    start(produce)
    os.close(writer)
    ready()
    while True:
        sum(os.read(reader, 1000))


def ping_pong():
    """Two processes of which at any time exactly one waits for the other."""
    own, other = socket.socketpair()

    def answer():
        own.close()
        while True:
            other.sendall(other.recv(1))

    start(answer)
    other.close()
    ready()
    while True:
        own.sendall(b"x")
        own.recv(1)
        sum(range(2000))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *arguments):
        pass


def keep_alive():
    """A client and a server over one connection."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    start(server.serve_forever)
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1])
    ready()
    while True:
        connection.request("GET", "/")
        connection.getresponse().read()


def idle_connection():
    """A client keeps its connection open and does something else; the server waits for it."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    start(server.serve_forever)
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1])
    connection.request("GET", "/")
    connection.getresponse().read()
    rest()


def work(number):
    return sum(range(number))


def executor():
    """A ProcessPoolExecutor with plenty to do."""
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for future in [pool.submit(mortal) for _ in range(8)]:
            future.result()
        ready()
        while True:
            list(pool.map(work, [20000] * 20))


def idle_pool():
    """A multiprocessing.Pool whose workers wait for work."""
    pool = context.Pool(2, initializer=mortal)
    pool.map(work, range(10))
    rest()


def typist():
    """A program is typed to by another one, now and then."""
    pid, terminal = pty.fork()
    if not pid:
        mortal()
        while True:
            input("more? ")
    os.read(terminal, 100)
    ready()
    while True:
        time.sleep(0.3)
        os.write(terminal, b"yes\n")
        os.read(terminal, 100)


def idle_workers():
    """Workers that read from a pipe; the parent waits for a signal to send them work."""
    receiver, sender = context.Pipe(duplex=False)
    signal.signal(signal.SIGUSR1, lambda *arguments: sender.send("work"))
    for _ in range(2):
        start(receiver.recv)
    rest()


def forked_from_an_idle_loop():
    """A worker that was forked off an event loop has a copy of what wakes that loop up."""
    receiver, sender = context.Pipe(duplex=False)
    reader, writer = socket.socketpair()

    def work():
        sender.close()
        receiver.recv()

    start(work)
    ready()
    loop = select.epoll()
    loop.register(reader.fileno(), select.EPOLLIN)
    loop.poll()
    writer.close()


def master_of_signals():
    """It waits for what its signal handler writes, and its worker for what it will send then."""
    receiver, sender = context.Pipe(duplex=False)
    reader, writer = os.pipe()
    signal.signal(signal.SIGUSR1, lambda *arguments: os.write(writer, b"!"))

    def work():
        sender.close()
        receiver.recv()

    start(work)
    ready()
    os.read(reader, 1)
    sender.send("work")


def idle_workers_of_a_thread():
    """As before, but a thread of the parent has the work, and its main thread waits for the end."""
    jobs = context.Queue()
    worker = context.Process(target=lambda: (mortal(), jobs.get()), daemon=True)
    worker.start()
    later = threading.Event()

    def supply():
        later.wait(100)
        jobs.put("work")

    threading.Thread(target=supply, daemon=True).start()
    ready()
    worker.join()


def fed_filter():
    """A program in C gets what one thread has to write, and another one reads what it makes of it;
    a shell beside it has nothing to do."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "preexec_fn": mortal}
    program = subprocess.Popen(["cat"], bufsize=0, **pipes)
    shell = subprocess.Popen("sleep 100; true", shell=True, preexec_fn=mortal)
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(1)

    def serve():
        connection, _ = server.accept()
        program.stdin.write(connection.recv(100))

    threading.Thread(target=serve, daemon=True).start()
    threading.Thread(target=shell.wait, daemon=True).start()
    ready()
    program.stdout.read()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
