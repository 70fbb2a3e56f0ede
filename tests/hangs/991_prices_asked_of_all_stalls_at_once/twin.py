import grequests  # patches what it needs, so it comes first

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KNOWN = ["apples", "pears", "plums"]
PRICES = {fruit: str(len(fruit)) for fruit in KNOWN}


class Stall(BaseHTTPRequestHandler):
    written_down = threading.Condition()

    def look_up(self, fruit):
        with self.written_down:
            while fruit not in PRICES:
                self.written_down.wait()
            return PRICES[fruit]

    def do_GET(self):
        price = self.look_up(self.path.strip("/")).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(price)))
        self.end_headers()
        self.wfile.write(price)

    def log_message(self, *words):
        pass


def run_stalls():
    stalls = ThreadingHTTPServer(("127.0.0.1", 0), Stall)
    print(stalls.server_port, flush=True)
    stalls.serve_forever()


class Guide:
    def __init__(self, port):
        self.address = "http://127.0.0.1:%d/" % port

    def compare(self, fruits):
        questions = [grequests.get(self.address + fruit) for fruit in fruits]
        return [answer.text for answer in grequests.map(questions)]


def visit_market(port):
    guide = Guide(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        guide.compare(["apples", "pears", "plums"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["stalls"]:
        run_stalls()
    else:
        command = [sys.executable, "-u", __file__, "stalls"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stalls:
            visit_market(int(stalls.stdout.readline()))
