import json
import os
import socket
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import backoff

RATES = {"CHF": 0.94, "SEK": 11.2}
OPEN = False


class Bank(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(RATES).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *parts):
        pass


def bank_port():
    if OPEN:
        bank = ThreadingHTTPServer(("127.0.0.1", 0), Bank)
        threading.Thread(target=bank.serve_forever, name="bank", daemon=True).start()
        return bank.server_port
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@backoff.on_exception(backoff.expo, OSError, max_value=1, jitter=None)
def read_rates(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/rates") as reply:
        return json.load(reply)


def convert(port, amount, currency):
    return round(amount * read_rates(port)[currency], 2)


def main():
    port = bank_port()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        convert(port, 12.5, "CHF")


if __name__ == "__main__":
    main()
