import queue
import threading
import time


class Directory:
    def __init__(self, limiter):
        self.limiter = limiter
        self.known = {}

    def look_up(self, name):
        self.limiter.spend()
        self.known[name] = len(self.known)
        return self.known[name]


class Caller(threading.Thread):
    def __init__(self, number, directory, names):
        super().__init__(name="caller-%d" % number, daemon=True)
        self.directory = directory
        self.names = names

    def run(self):
        while True:
            name = self.names.get()
            self.directory.look_up(name)
            self.names.task_done()


class Audit(threading.Thread):
    def __init__(self, directory):
        super().__init__(name="audit", daemon=True)
        self.directory = directory
        self.sizes = []

    def run(self):
        while True:
            self.sizes = [*self.sizes[-20:], len(self.directory.known)]
            time.sleep(0.5)


def names_of(count):
    names = queue.Queue()
    for number in range(count):
        names.put("subscriber-%d" % number)
    return names
