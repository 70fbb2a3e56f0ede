import os
import signal
import sys
import time

import segment.analytics as analytics

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def serve_request(user):
    analytics.track(user, "page opened")
    analytics.flush()


def start_worker(port):
    if not os.fork():
        signal.alarm(120)
        analytics.write_key = "shop"
        analytics.host = "http://127.0.0.1:%d" % port
        print("MARK child pid=%d" % os.getpid())
        while True:
            serve_request("eve")
            time.sleep(0.05)


if __name__ == "__main__":
    start_worker(start("event_server"))
    os.wait()
