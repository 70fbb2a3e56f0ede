import os
import signal
import threading

import requests
from pytest_httpserver import HTTPServer
from werkzeug import Response

signal.alarm(120)


class Weather:
    def __init__(self, address):
        self.address = address
        self.seen = None

    def refresh(self):
        try:
            self.seen = requests.get(self.address, timeout=1).text
        except requests.Timeout:
            self.seen = "no answer"


class SlowStation:
    def __init__(self):
        self.server = HTTPServer()
        self.release = threading.Event()
        self.server.expect_request("/now").respond_with_handler(self.answer)

    def answer(self, request):
        self.release.wait()
        return Response("12 degrees")

    def __enter__(self):
        self.server.start()
        return self

    def __exit__(self, *error):
        self.release.set()
        self.server.stop()


def check_slow_station():
    with SlowStation() as station:
        weather = Weather(station.server.url_for("/now"))
        weather.refresh()
        assert weather.seen == "no answer"


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        check_slow_station()
