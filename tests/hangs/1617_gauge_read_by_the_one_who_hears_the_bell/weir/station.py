import os
import queue
import threading
import time

from serial.threaded import ReaderThread

from weir.line import Talk


class Gauge(threading.Thread):
    """The device at the other end of the line."""

    def __init__(self, fd):
        super().__init__(name="gauge", daemon=True)
        self.fd = fd
        self.height = 100

    def ring(self):
        while True:
            time.sleep(1)
            self.height += 3
            os.write(self.fd, b"!RISEN\n")

    def run(self):
        threading.Thread(target=self.ring, name="gauge-bell", daemon=True).start()
        while True:
            for _question in os.read(self.fd, 200).splitlines():
                os.write(self.fd, b"%d\n" % self.height)


class Keeper:
    def __init__(self, port, asks_back):
        self.answers = queue.Queue()
        self.risen = queue.Queue()
        self.asks_back = asks_back
        self.lock = threading.Lock()
        self.heights = []
        self.reader = ReaderThread(port, Talk)
        self.reader.start()
        _transport, self.talk = self.reader.connect()
        self.talk.answers = self.answers
        self.talk.on_event = self.bell

    def ask(self, question):
        with self.lock:
            self.talk.write_line(question)
            return int(self.answers.get())

    def bell(self, word):
        if self.asks_back:
            self.heights.append(self.ask("HEIGHT"))
        self.risen.put(word)

    def watch(self):
        while True:
            self.risen.get()
            self.heights.append(self.ask("HEIGHT"))
            del self.heights[:-20]
