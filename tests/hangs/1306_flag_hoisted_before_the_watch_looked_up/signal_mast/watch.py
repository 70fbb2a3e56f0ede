import signal
import subprocess
import sys
import threading
import time

FLAGS = {signal.SIGUSR1, signal.SIGUSR2}


class Station:
    """A child that answers each order by a signal."""

    def __init__(self, script):
        self.seen = []
        signal.signal(signal.SIGUSR1, self.hoisted)
        signal.signal(signal.SIGUSR2, self.hoisted)
        self.child = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE)

    def hoisted(self, number, frame):
        self.seen = [*self.seen[-10:], number]

    def order(self, text, early):
        if early:
            signal.pthread_sigmask(signal.SIG_BLOCK, FLAGS)
        self.child.stdin.write(text.encode() + b"\n")
        self.child.stdin.flush()
        self.note(text)
        signal.pthread_sigmask(signal.SIG_BLOCK, FLAGS)
        flag = signal.sigwait(FLAGS)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, FLAGS)
        return flag

    def note(self, text):
        time.sleep(0.3)
        self.last = text


class Log(threading.Thread):
    def __init__(self, station):
        signal.pthread_sigmask(signal.SIG_BLOCK, FLAGS)
        super().__init__(name="log", daemon=True)
        self.station = station
        self.pages = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.pages += len(self.station.seen)


def watch(station, early):
    log = Log(station)
    log.start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FLAGS)
    orders = ["tide", "wind", "fog"]
    while True:
        for text in orders:
            station.order(text, early)
