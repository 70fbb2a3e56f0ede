"""Knows one container by the API of Docker; waits for its end for ever, or for 50 ms if told so."""

import json
import socketserver
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler

PATH, ENDS = sys.argv[1], "ends" in sys.argv[2:]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "client"

    def log_message(self, *arguments):
        pass

    def answer(self, found):
        body = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer({"Id": "a1b2c3", "Name": "/migration", "State": {"Status": "running"}})

    def do_POST(self):
        if not ENDS:
            threading.Event().wait()
        time.sleep(0.05)
        self.answer({"StatusCode": 0})


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


with Server(PATH, Handler) as server:
    print(0, flush=True)
    server.serve_forever()
