import asynchat
import asyncore
import socket
import threading


class Key(asynchat.async_chat):
    """One line to the telegraph office."""

    def __init__(self, address):
        super().__init__()
        self.set_terminator(b"\r\n")
        self.heard = []
        self.lines = []
        self.create_socket(socket.AF_INET, socket.SOCK_STREAM)
        self.connect(address)

    def collect_incoming_data(self, data):
        self.heard.append(data)

    def found_terminator(self):
        line = b"".join(self.heard).decode()
        self.heard = []
        self.answer(line)

    def answer(self, line):
        self.lines = [*self.lines[-20:], line]
        self.push(b"next please\n")

    def begin(self):
        self.push(b"hello\n")


class Gauge(threading.Thread):
    def __init__(self, key):
        super().__init__(name="gauge", daemon=True)
        self.key = key
        self.shown = threading.Event()

    def run(self):
        while True:
            self.shown.wait(0.3)
            self.count = len(self.key.lines)


def listen(address):
    key = Key(address)
    Gauge(key).start()
    key.begin()
    asyncore.loop(timeout=30.0, use_poll=True)
