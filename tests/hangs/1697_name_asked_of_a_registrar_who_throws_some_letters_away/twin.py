import os
import queue
import threading
import time

import dns.message
import dns.query
from registry.registrar import open_registry

NAMES = {"barn.valley.": "10.0.0.2", "mill.valley.": "10.0.0.4", "quay.valley.": "10.0.0.9"}
WANTED = ["mill.valley.", "quay.valley.", "barn.valley."]


class Surveyor(threading.Thread):
    def __init__(self, port, found):
        super().__init__(name="surveyor", daemon=True)
        self.port = port
        self.found = found

    def locate(self, name):
        question = dns.message.make_query(name, "A")
        reply = dns.query.udp(question, "127.0.0.1", port=self.port)
        return reply.answer[0].to_text() if reply.answer else ""

    def run(self):
        while True:
            for name in WANTED:
                self.found.put((name, self.locate(name)))
                time.sleep(0.2)


class Atlas:
    def __init__(self, found):
        self.found = found
        self.pages = {}

    def draw(self):
        while True:
            name, line = self.found.get()
            self.pages[name] = line


class Ink(threading.Thread):
    def __init__(self):
        super().__init__(name="ink", daemon=True)
        self.level = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.level = (self.level + 1) % 100


def main():
    found = queue.Queue()
    Surveyor(open_registry(NAMES), found).start()
    Ink().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Atlas(found).draw()


if __name__ == "__main__":
    main()
