import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

PATIENT = True


class Press(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        while int(self.rfile.readline(), 16):
            while self.rfile.readline().strip():
                pass
        self.rfile.readline()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


class Author:
    def __init__(self, port):
        self.address = "http://127.0.0.1:%d/story" % port
        self.sheets = queue.Queue()
        self.praised = threading.Event()

    def write(self):
        while True:
            self.sheets.put(b"once upon a time\r\n")
            if not PATIENT:
                self.praised.wait()
                self.praised.clear()
            self.sheets.put(b"the end\r\n")
            self.sheets.put(None)
            if PATIENT:
                self.praised.wait()
                self.praised.clear()

    def pages(self):
        while True:
            sheet = self.sheets.get()
            if sheet is None:
                return
            yield sheet

    def publish(self):
        requests.post(self.address, data=self.pages())
        self.praised.set()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Press)
    threading.Thread(target=server.serve_forever, name="press", daemon=True).start()
    author = Author(server.server_port)
    threading.Thread(target=author.write, name="writer", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        author.publish()
