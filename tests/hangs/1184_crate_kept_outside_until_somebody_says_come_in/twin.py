import http.server
import os
import socket
import threading
import time


class Warehouse(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.server.last = self.rfile.read(length)
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_):
        pass


class Sender:
    def __init__(self, address):
        self.address = address
        self.accepted = 0

    def head(self, crate):
        return (
            "POST /crates HTTP/1.1\r\nHost: warehouse\r\n"
            "Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(crate)
        ).encode()

    def offer(self, crate):
        with socket.create_connection(self.address) as line:
            answers = line.makefile("rb")
            line.sendall(self.head(crate))
            status = answers.readline().split()
            if status[1] != b"100":
                return
            answers.readline()
            line.sendall(crate)
            self.accepted += answers.readline().split()[1] == b"201"


def deliver(sender):
    while True:
        sender.offer(b"apples" * 40)
        time.sleep(0.02)


VERSION = "HTTP/1.1"


if __name__ == "__main__":
    Warehouse.protocol_version = VERSION
    server = http.server.HTTPServer(("127.0.0.1", 0), Warehouse)
    threading.Thread(target=server.serve_forever, name="warehouse", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    deliver(Sender(server.server_address))
