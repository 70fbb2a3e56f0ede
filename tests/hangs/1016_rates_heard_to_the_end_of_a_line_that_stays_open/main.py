import os
import subprocess
import sys
import time
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpretty
import requests

warnings.simplefilter("ignore")
HANGS_UP = False


class Rates(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0" if HANGS_UP else "HTTP/1.1"

    def do_GET(self):
        body = b'{"EUR": 1.1}'
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *details):
        pass


def run_bank():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Rates)
    print(server.server_port, flush=True)
    server.serve_forever()


class Exchange:
    def __init__(self, port):
        self.url = "http://127.0.0.1:%d/rates" % port
        self.seen = 0

    def ask(self):
        return requests.get(self.url).json()["EUR"]

    def check(self):
        assert self.ask() == 1.1
        self.seen += 1


def check_exchange(port):
    httpretty.enable(allow_net_connect=True)
    httpretty.register_uri(httpretty.GET, "http://shop.test/basket", body="{}")
    exchange = Exchange(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        exchange.check()
        time.sleep(0.05)


if __name__ == "__main__":
    if sys.argv[1:2] == ["bank"]:
        run_bank()
    else:
        bank = subprocess.Popen(
            [sys.executable, "-u", __file__, "bank"], stdout=subprocess.PIPE, text=True
        )
        check_exchange(int(bank.stdout.readline()))
