import http.server
import os
import signal
import threading
import time

import requests
from requests.adapters import HTTPAdapter

signal.alarm(120)


class Rates(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        if self.headers.get("Authorization") == "Bearer new":
            self.answer(200, b"1.08")
        else:
            self.answer(401, b"the token has expired")

    def do_POST(self):
        self.answer(200, b"new")

    def log_message(self, *arguments):
        pass


class RateClient:
    def __init__(self, address):
        self.address = address
        self.session = requests.Session()
        self.session.mount("http://", HTTPAdapter(pool_maxsize=1, pool_block=True))
        self.session.headers["Authorization"] = "Bearer old"
        self.session.hooks["response"].append(self.renew_token)

    def renew_token(self, response, **options):
        if response.status_code != 401:
            return response
        response.content
        token = self.session.post(self.address + "/token").text
        response.request.headers["Authorization"] = "Bearer " + token
        return self.session.send(response.request)

    def rate(self, currency):
        return float(self.session.get(self.address + "/rates/" + currency).text)


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Rates)
    threading.Thread(target=server.serve_forever, name="rates", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        print(RateClient("http://127.0.0.1:%d" % server.server_port).rate("usd"))
        time.sleep(0.02)
