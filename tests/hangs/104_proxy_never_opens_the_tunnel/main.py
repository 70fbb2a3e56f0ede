import os
import signal
import sys

import requests

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def fetch_rates(session, day):
    try:
        return session.get("https://rates.example/%s.json" % day).json()
    except requests.exceptions.ProxyError:
        return {}


def load_week(port, days):
    with requests.Session() as session:
        session.proxies = {"https": "http://127.0.0.1:%d" % port}
        return [fetch_rates(session, day) for day in days]


if __name__ == "__main__":
    port = start("proxy_server", "silent")
    print("MARK main pid=%d" % os.getpid())
    load_week(port, ["monday", "tuesday"])
