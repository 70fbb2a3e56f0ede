import os
import signal

import socketio
from house import open_house

signal.alarm(120)


class Guest:
    def __init__(self, address):
        self.line = socketio.Client()
        self.line.on("choose_side", self.choose)
        self.line.connect(address, transports=["websocket"])

    def choose(self, dish):
        return "rice"

    def order(self, dish):
        return self.line.call("order", dish, timeout=None)


if __name__ == "__main__":
    guest = Guest(open_house())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    guest.order("stew")
