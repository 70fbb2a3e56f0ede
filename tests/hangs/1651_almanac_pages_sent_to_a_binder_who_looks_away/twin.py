import logging
import logging.handlers
import os
import socket
import tempfile
import threading
import time


class Binder(threading.Thread):
    def __init__(self, path, wanted):
        super().__init__(name="binder", daemon=True)
        self.wanted = wanted
        self.bound = 0
        self.inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.inbox.bind(path)
        self.rest = threading.Event()

    def run(self):
        while self.wanted is None or self.bound < self.wanted:
            self.inbox.recv(4096)
            self.bound += 1
        self.rest.wait()


class Press(threading.Thread):
    def __init__(self, name, log):
        super().__init__(name=name, daemon=True)
        self.log = log
        self.sheets = 0

    def print_sheet(self):
        self.sheets += 1
        self.log.info("%s sheet %d", self.name, self.sheets)

    def run(self):
        while True:
            self.print_sheet()
            time.sleep(0.01)


class Clock(threading.Thread):
    def __init__(self):
        super().__init__(name="clock", daemon=True)
        self.ticks = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.ticks += 1


WANTED = None


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "bindery")
    Binder(path, WANTED).start()
    log = logging.getLogger("almanac")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(logging.handlers.SysLogHandler(address=path))
    Clock().start()
    presses = [Press("press-%s" % name, log) for name in ("red", "black", "gold")]
    for press in presses:
        press.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for press in presses:
        press.join()
