import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import urllib3

PAUSE = "7200"


class Tariff(BaseHTTPRequestHandler):
    asked = 0

    def do_GET(self):
        Tariff.asked += 1
        busy = Tariff.asked % 2
        self.send_response(503 if busy else 200)
        if busy:
            self.send_header("Retry-After", PAUSE)
        body = b"" if busy else b"apples 3"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class PriceList:
    def __init__(self, port):
        self.http = urllib3.PoolManager(retries=urllib3.Retry(3, status_forcelist=[503]))
        self.address = "http://127.0.0.1:%d/apples" % port

    def fetch(self):
        return self.http.request("GET", self.address, timeout=5.0).data.decode()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Tariff)
    threading.Thread(target=server.serve_forever, name="tariff", daemon=True).start()
    prices = PriceList(server.server_port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        prices.fetch()
