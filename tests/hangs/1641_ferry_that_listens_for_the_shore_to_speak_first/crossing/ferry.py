import selectors
import socket


class Ferry:
    def __init__(self, port, name, eager):
        self.name = name
        self.line = socket.socket()
        self.line.setblocking(False)
        self.line.connect_ex(("127.0.0.1", port))
        self.trips = 0
        self.out = b""
        self.hail()
        self.wants = selectors.EVENT_READ
        if eager:
            self.wants |= selectors.EVENT_WRITE

    def hail(self):
        self.out += b"hail %s\n" % self.name.encode()

    def ready(self, mask):
        if mask & selectors.EVENT_READ:
            self.line.recv(64)
            self.trips += 1
            self.hail()
        if self.out:
            sent = self.line.send(self.out)
            self.out = self.out[sent:]
        return selectors.EVENT_READ


class Dispatcher:
    def __init__(self):
        self.selector = selectors.DefaultSelector()

    def enrol(self, ferry):
        self.selector.register(ferry.line, ferry.wants, ferry)

    def step(self):
        for key, mask in self.selector.select():
            wanted = key.data.ready(mask)
            self.selector.modify(key.fileobj, wanted, key.data)

    def work(self):
        while True:
            self.step()
