import json
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import libhoney
from libhoney.transmission import Transmission

signal.alarm(120)


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps([{"status": 202}] * 100).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def open_telemetry():
    collector = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, name="collector", daemon=True).start()
    libhoney.init(
        writekey="k",
        dataset="orders",
        api_host="http://127.0.0.1:%d" % collector.server_port,
        transmission_impl=Transmission(block_on_response=True, max_responses=10),
    )


def report_orders(numbers):
    for number in numbers:
        event = libhoney.new_event({"order": number})
        event.send()


def finish_day():
    libhoney.close()


if __name__ == "__main__":
    open_telemetry()
    print("MARK main pid=%d" % os.getpid())
    report_orders(range(60))
    finish_day()
