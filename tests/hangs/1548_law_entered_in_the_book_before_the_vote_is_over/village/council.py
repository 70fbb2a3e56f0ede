import threading
import time

from pysyncobj import SyncObj, SyncObjConf, replicated


class Council(SyncObj):
    """What the village has agreed upon."""

    def __init__(self, place, clerk):
        super().__init__(place, [], conf=SyncObjConf(appendEntriesUseBatch=False))
        self.clerk = clerk
        self.laws = {}
        self.entered = 0

    @replicated
    def enact(self, name, text):
        self.laws[name] = text
        self.clerk.informed(self, name)
        return len(self.laws)

    @replicated
    def enter(self, name):
        self.entered += 1
        return self.entered


class Clerk:
    """Is told of each law, and has it entered in the book."""

    def __init__(self, at_once):
        self.at_once = at_once
        self.book = []

    def informed(self, council, name):
        if self.at_once:
            number = council.enter(name, sync=True)
            self.book.append((number, name))
        else:
            council.enter(name, callback=self.keep)

    def keep(self, number, error):
        self.book.append((number, error))


class Speaker(threading.Thread):
    def __init__(self, name, council):
        super().__init__(name="speaker-" + name, daemon=True)
        self.council = council
        self.passed = 0

    def run(self):
        while True:
            name = "%s-%d" % (self.name, self.passed)
            self.council.enact(name, "let it be so", sync=True)
            self.passed += 1
            time.sleep(0.3)


class Bell(threading.Thread):
    def __init__(self):
        super().__init__(name="bell", daemon=True)
        self.rung = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.rung += 1
