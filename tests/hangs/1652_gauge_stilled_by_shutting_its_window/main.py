import os
import socket
import threading
import time


class Gauge(threading.Thread):
    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.window = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.window.bind(("127.0.0.1", 0))
        self.place = self.window.getsockname()
        self.readings = 0

    def run(self):
        while True:
            try:
                reading, _ = self.window.recvfrom(512)
            except OSError:
                return
            if not reading:
                return
            self.readings += 1

    def still(self):
        if ROUSED:
            self.window.sendto(b"", self.place)
            self.join()
        self.window.close()
        self.join()


class River(threading.Thread):
    def __init__(self, gauges):
        super().__init__(name="river", daemon=True)
        self.places = [gauge.place for gauge in gauges]
        self.dry = threading.Event()

    def run(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as spring:
            while not self.dry.is_set():
                for place in self.places:
                    spring.sendto(b"level", place)
                time.sleep(0.05)


class Weather(threading.Thread):
    def __init__(self):
        super().__init__(name="weather", daemon=True)
        self.reports = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.reports += 1


def season():
    gauges = [Gauge("gauge-%s" % name) for name in ("upper", "lower")]
    for gauge in gauges:
        gauge.start()
    river = River(gauges)
    river.start()
    time.sleep(0.4)
    river.dry.set()
    river.join()
    time.sleep(0.1)
    for gauge in gauges:
        gauge.still()


ROUSED = False


if __name__ == "__main__":
    Weather().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        season()
