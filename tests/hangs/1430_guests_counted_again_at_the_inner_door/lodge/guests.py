import threading
import time
import urllib.request


class Guest(threading.Thread):
    def __init__(self, base, name, nights):
        super().__init__(name=name, daemon=True)
        self.url = "%s/offers?nights=%d" % (base, nights)
        self.offers = 0

    def run(self):
        while True:
            with urllib.request.urlopen(self.url) as answer:
                answer.read()
            self.offers += 1
            time.sleep(0.1)


class Doctor(threading.Thread):
    def __init__(self, base):
        super().__init__(name="doctor", daemon=True)
        self.url = base + "/health"
        self.seen = []

    def run(self):
        while True:
            with urllib.request.urlopen(self.url) as answer:
                self.seen.append(answer.status)
            del self.seen[:-20]
            time.sleep(0.3)
