import logging
import pathlib
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from tooz import coordination

log = logging.getLogger("office")


class Registry:
    def __init__(self, folder):
        self.coordinator = coordination.get_coordinator("file://" + folder, b"office-1")
        self.coordinator.start(start_heart=True)
        self.path = pathlib.Path(folder, "register.txt")
        self.book = self.coordinator.get_lock(b"register")

    def append(self, line):
        with self.book:
            time.sleep(0.02)
            with self.path.open("a") as pages:
                pages.write(line + "\n")

    def count(self):
        return len(self.path.read_text().split("\n")) if self.path.exists() else 0


class Office:
    def __init__(self, registry, thorough):
        self.registry = registry
        self.thorough = thorough
        self.clerks = ThreadPoolExecutor(2, "clerk")

    def enter(self, family, person):
        self.registry.append("%s %s" % (family, person))

    def enter_family(self, family, people):
        entries = [self.clerks.submit(self.enter, family, one) for one in people]
        for entry in entries:
            entry.result()

    def move_in(self, family, people):
        if self.thorough:
            with self.registry.book:
                self.enter_family(family, people)
        else:
            self.enter_family(family, people)


class Bell(threading.Thread):
    def __init__(self):
        super().__init__(name="bell", daemon=True)

    def run(self):
        while True:
            time.sleep(1)


def run(thorough):
    office = Office(Registry(tempfile.mkdtemp(prefix="register-")), thorough)
    Bell().start()
    number = 0
    while True:
        office.move_in("family-%d" % number, ["ann", "bob", "cy"])
        number += 1
