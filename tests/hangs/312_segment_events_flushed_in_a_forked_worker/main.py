import os
import signal
import sys

import segment.analytics as analytics

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def serve_request(user):
    analytics.track(user, "page opened")
    analytics.flush()


def start_worker():
    if not os.fork():
        signal.alarm(120)
        print("MARK child pid=%d" % os.getpid())
        serve_request("eve")
        os._exit(0)


if __name__ == "__main__":
    analytics.write_key = "shop"
    analytics.host = "http://127.0.0.1:%d" % start("event_server")
    serve_request("adam")
    start_worker()
    os.wait()
