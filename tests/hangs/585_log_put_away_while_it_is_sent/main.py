import http.server
import logging
import logging.config
import os
import signal
import threading
import time

from logtail import LogtailHandler

signal.alarm(120)
SETTINGS = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"screen": {"class": "logging.StreamHandler", "level": "ERROR"}},
    "root": {"level": "INFO", "handlers": ["screen"]},
}


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.3)
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Shop:
    def __init__(self, collector):
        url = "http://127.0.0.1:%d" % collector.server_port
        self.log = logging.getLogger("shop")
        self.log.setLevel(logging.INFO)
        self.log.addHandler(LogtailHandler("token", host=url, flush_interval=0.2))

    def sell(self, count):
        for number in range(count):
            self.log.info("sold %d", number)

    def settle_in(self):
        logging.config.dictConfig(SETTINGS)


if __name__ == "__main__":
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, name="collector", daemon=True).start()
    shop = Shop(collector)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    shop.sell(20)
    shop.settle_in()
