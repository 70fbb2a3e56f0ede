import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import pycurl

SACK_FIRST = True


class Mill(BaseHTTPRequestHandler):
    sack_brought = threading.Event()

    def fill_sack(self):
        self.sack_brought.wait()
        self.sack_brought.clear()
        return b"flour"

    def do_GET(self):
        sack = self.fill_sack()
        self.send_response(200)
        self.send_header("Content-Length", str(len(sack)))
        self.end_headers()
        self.wfile.write(sack)

    def log_message(self, *words):
        pass


class Bakery:
    def __init__(self, port):
        self.url = "http://127.0.0.1:%d/flour" % port

    def order(self):
        flour = BytesIO()
        curl = pycurl.Curl()
        curl.setopt(pycurl.URL, self.url)
        curl.setopt(pycurl.WRITEDATA, flour)
        curl.perform()
        curl.close()
        return flour.getvalue()

    def bring_sack(self):
        Mill.sack_brought.set()

    def bake(self):
        if SACK_FIRST:
            self.bring_sack()
        flour = self.order()
        if not SACK_FIRST:
            self.bring_sack()
        return flour


def main():
    mill = ThreadingHTTPServer(("127.0.0.1", 0), Mill)
    threading.Thread(target=mill.serve_forever, name="mill", daemon=True).start()
    bakery = Bakery(mill.server_port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        bakery.bake()
        time.sleep(0.02)


if __name__ == "__main__":
    main()
