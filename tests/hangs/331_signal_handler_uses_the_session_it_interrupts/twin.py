import os
import signal
import sys

import requests
from requests.adapters import HTTPAdapter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

session = requests.Session()


def fetch_report():
    return session.get(f"{address}/slow").text


def report_alive(number, frame):
    session.get(f"{address}/small")


def watch_over(seconds):
    signal.signal(signal.SIGUSR1, report_alive)
    os.system("(sleep %s; kill -USR1 %d) &" % (seconds, os.getpid()))


if __name__ == "__main__":
    address = "http://127.0.0.1:%d" % start("http_server")
    session.mount("http://", HTTPAdapter(pool_connections=1, pool_maxsize=2, pool_block=True))
    print("MARK main pid=%d" % os.getpid())
    while True:
        watch_over(0.4)
        fetch_report()
