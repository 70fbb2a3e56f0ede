import logging
import os
import signal
import threading

signal.alarm(120)


class ShipHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []
        self.lock = threading.Lock()

    def buffer_line(self, line):
        with self.lock:
            self.lines = [*self.lines[-9:], line]

    def emit(self, record):
        self.buffer_line(self.format(record))


def open_shop(name):
    logging.getLogger("shop").warning("%s is open", name)


if __name__ == "__main__":
    logging.getLogger("shop").addHandler(ShipHandler())
    print("MARK main pid=%d" % os.getpid())
    open_shop("corner")
