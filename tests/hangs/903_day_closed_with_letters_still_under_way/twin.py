import logging
import os
import sys
import time

from logstash_async.handler import AsynchronousLogstashHandler
from logstash_async.transport import TcpTransport

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

COLLECTOR = ("reads",)
ROOMS = ("hall", "kitchen", "cellar", "attic")


class House:
    def __init__(self, port):
        line = TcpTransport("127.0.0.1", port, False, True, None, None, None, None)
        self.handler = AsynchronousLogstashHandler(
            "127.0.0.1", port, database_path=None, transport=line
        )
        self.log = logging.getLogger("house")
        self.log.setLevel(logging.INFO)
        self.log.propagate = False

    def open_day(self):
        self.log.addHandler(self.handler)

    def look_around(self):
        for room in ROOMS:
            self.log.info("camera of the %s: %s", room, "0123456789abcdef" * 20_000)
        time.sleep(0.3)

    def close_day(self):
        self.log.removeHandler(self.handler)
        self.handler.close()


def live(port):
    house = House(port)
    while True:
        house.open_day()
        for _ in range(3):
            house.look_around()
        house.close_day()
        time.sleep(0.05)


def main():
    port = start("log_server", *COLLECTOR)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    live(port)


if __name__ == "__main__":
    main()
