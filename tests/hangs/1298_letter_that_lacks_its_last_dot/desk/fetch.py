import poplib
import queue
import threading
import time


class Fetcher(threading.Thread):
    def __init__(self, port, letters):
        super().__init__(name="fetcher", daemon=True)
        self.port = port
        self.letters = letters

    def sign_in(self):
        box = poplib.POP3("127.0.0.1", self.port)
        box.user("anna")
        box.pass_("linden")
        return box

    def round(self, box):
        count, _size = box.stat()
        for number in range(1, count + 1):
            _answer, lines, _octets = box.retr(number)
            self.letters.put(lines)

    def run(self):
        box = self.sign_in()
        while True:
            self.round(box)
            time.sleep(0.1)


class Reader:
    def __init__(self, letters):
        self.letters = letters
        self.subjects = []

    def next_subject(self):
        for line in self.letters.get():
            if line.lower().startswith(b"subject:"):
                return line[8:].strip()
        return b""

    def read_on(self):
        while True:
            self.subjects = [*self.subjects[-10:], self.next_subject()]


class Lamp(threading.Thread):
    def __init__(self):
        super().__init__(name="lamp", daemon=True)
        self.on = False

    def run(self):
        while True:
            time.sleep(0.3)
            self.on = not self.on


def open_desk(port):
    letters = queue.Queue()
    Lamp().start()
    Fetcher(port, letters).start()
    Reader(letters).read_on()
