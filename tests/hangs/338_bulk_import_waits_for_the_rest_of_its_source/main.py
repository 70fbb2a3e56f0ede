import http.server
import json
import os
import queue
import signal
import threading

from opensearchpy import OpenSearch, helpers

signal.alarm(120)
orders = queue.Queue()


class Index(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        items = [{"index": {"status": 201}} for _ in range(body.count(b"\n") // 2)]
        answer = json.dumps({"errors": False, "items": items}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


def read_orders():
    while True:
        yield {"_index": "orders", "number": orders.get()}


def import_orders(client, wanted):
    done = 0
    for ok, item in helpers.parallel_bulk(client, read_orders(), thread_count=2, chunk_size=5):
        done += ok
        if done >= wanted:
            break
    return done


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, name="index", daemon=True).start()
    client = OpenSearch([{"host": "127.0.0.1", "port": server.server_port}])
    for number in range(20):
        orders.put(number)
    print("MARK main pid=%d" % os.getpid())
    import_orders(client, 20)
