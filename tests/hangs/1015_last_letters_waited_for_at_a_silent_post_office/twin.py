import logging
import os
import socket
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

os.environ["APPLICATIONINSIGHTS_STATSBEAT_DISABLED_ALL"] = "true"

from opencensus.ext.azure.log_exporter import AzureLogHandler

STAFFED = True
KEY = "00000000-0000-0000-0000-000000000001"


class Counter(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        body = b'{"itemsReceived": 1, "itemsAccepted": 1, "errors": []}'
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *details):
        pass


def run_post_office():
    if STAFFED:
        server = HTTPServer(("127.0.0.1", 0), Counter)
        print(server.server_port, flush=True)
        server.serve_forever()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    parcels = []
    while True:
        parcels.append(listener.accept()[0])


class Office:
    def __init__(self, port):
        connection = "InstrumentationKey=%s;IngestionEndpoint=http://127.0.0.1:%d" % (KEY, port)
        self.handler = AzureLogHandler(
            connection_string=connection,
            timeout=3600,
            export_interval=0.2,
            enable_local_storage=False,
            enable_stats_metrics=False,
        )
        self.log = logging.getLogger("office")
        self.log.setLevel(logging.INFO)
        self.log.addHandler(self.handler)

    def write(self, letters):
        for number in range(letters):
            self.log.info("letter %d", number)
            time.sleep(0.1)

    def close_day(self):
        self.handler.flush()


def main():
    post = subprocess.Popen(
        [sys.executable, "-u", __file__, "post"], stdout=subprocess.PIPE, text=True
    )
    office = Office(int(post.stdout.readline()))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.write(8)
        office.close_day()


if __name__ == "__main__":
    if sys.argv[1:2] == ["post"]:
        run_post_office()
    else:
        main()
