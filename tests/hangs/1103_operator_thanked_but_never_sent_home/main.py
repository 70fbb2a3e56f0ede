import os
import socket
import threading
import time

from ws4py.manager import WebSocketManager
from ws4py.websocket import WebSocket

SENDS_HOME = False


class Line(WebSocket):
    calls = 0

    def received_message(self, message):
        Line.calls += 1


class Exchange:
    def __init__(self):
        self.manager = WebSocketManager()
        self.manager.daemon = True
        self.far_ends = []

    def open_lines(self, count):
        self.manager.start()
        for _ in range(count):
            near, far = socket.socketpair()
            self.far_ends.append(far)
            self.manager.add(Line(near))

    def ring(self):
        for far in self.far_ends:
            far.sendall(b"\x81\x84\x00\x00\x00\x00ring")
        time.sleep(0.05)

    def close_lines(self):
        self.manager.close_all()
        if SENDS_HOME:
            self.manager.stop()
        self.manager.join()
        for far in self.far_ends:
            far.close()


def hold_day():
    exchange = Exchange()
    exchange.open_lines(2)
    exchange.ring()
    exchange.close_lines()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        hold_day()
        assert threading.active_count() == 1


if __name__ == "__main__":
    main()
