import logging
import logging.handlers
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

log = logging.getLogger("counter")
own = logging.getLogger("counter.archive")


class Archive(BaseHTTPRequestHandler):
    lines = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Archive.lines = [*Archive.lines[-99:], body]
        own.info("%d lines kept", len(Archive.lines))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


class Counter:
    def __init__(self):
        self.sold = 0

    def sell(self, thing):
        self.sold += 1
        log.info("sold %s, number %d", thing, self.sold)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Archive)
    threading.Thread(target=server.serve_forever, name="archive", daemon=True).start()
    log.setLevel(logging.INFO)
    log.addHandler(
        logging.handlers.HTTPHandler("127.0.0.1:%d" % server.server_port, "/lines", "POST")
    )
    own.propagate = False
    counter = Counter()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        counter.sell("lamp")
        time.sleep(0.05)
