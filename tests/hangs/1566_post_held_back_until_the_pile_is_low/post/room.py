import logging
import threading
import time

log = logging.getLogger(__name__)


class Room:
    def __init__(self, letters, high, low):
        self.letters = letters
        self.high = high
        self.low = low
        self.out = 0
        self.lock = threading.Lock()
        self.consumer = None
        self.reports = []

    def deliver(self, letter):
        with self.lock:
            self.out += 1
            if self.out >= self.high:
                self.consumer.pause()
        self.letters.put(letter)

    def done(self):
        with self.lock:
            self.out -= 1
            if self.out < self.low and self.consumer.is_paused:
                self.consumer.resume()

    def report(self):
        while True:
            time.sleep(0.5)
            self.reports.append(self.letters.qsize())
            del self.reports[:-20]


class Reader(threading.Thread):
    def __init__(self, number, letters, room, lenient):
        super().__init__(name="reader-%d" % number, daemon=True)
        self.letters = letters
        self.room = room
        self.lenient = lenient
        self.words = 0

    def read(self, letter):
        if letter.endswith("?"):
            raise ValueError(letter)
        self.words += len(letter.split())

    def work(self):
        letter = self.letters.get()
        try:
            self.read(letter)
        except ValueError:
            log.debug("cannot read %s", letter)
            if not self.lenient:
                return
        self.room.done()

    def run(self):
        while True:
            self.work()
