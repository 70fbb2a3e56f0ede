import os
import signal
import sys

from ibapi.client import EClient
from ibapi.wrapper import EWrapper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Desk(EWrapper, EClient):
    def __init__(self):
        EClient.__init__(self, self)
        self.orders = {}

    def nextValidId(self, orderId):
        self.orders["next"] = orderId

    def open_day(self, port):
        self.connect("127.0.0.1", port, 7)
        self.run()


if __name__ == "__main__":
    port = start("silent_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Desk().open_day(port)
