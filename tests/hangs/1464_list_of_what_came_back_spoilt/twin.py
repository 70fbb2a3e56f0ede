import os
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import urllib3

SPOILS = "part-9"


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(500 if SPOILS in self.path else 200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *words):
        pass


class Uploads:
    def __init__(self, port):
        self.http = urllib3.HTTPConnectionPool(
            "127.0.0.1", port, maxsize=2, block=True, retries=False
        )
        self.spoilt = []
        self.parts = ThreadPoolExecutor(3, thread_name_prefix="part")

    def put(self, path):
        answer = self.http.request("PUT", path, body=b"x" * 999, preload_content=False)
        if answer.status != 200:
            self.spoilt.append(answer)
            return False
        answer.drain_conn()
        answer.release_conn()
        return True

    def upload(self, name):
        sent = [self.parts.submit(self.put, f"/{name}/part-{n}") for n in range(3)]
        return all(one.result() for one in sent)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
    threading.Thread(target=server.serve_forever, name="store", daemon=True).start()
    uploads = Uploads(server.server_port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        uploads.upload(f"photo-{number}")
        number += 1


main()
