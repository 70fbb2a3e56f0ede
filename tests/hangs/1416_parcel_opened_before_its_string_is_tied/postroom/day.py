import itertools
import os
import tempfile
import threading
import time

from postroom.watch import Porter


class Cart(threading.Thread):
    def __init__(self):
        super().__init__(name="cart", daemon=True)
        self.rounds = 0

    def run(self):
        while True:
            self.rounds += 1
            time.sleep(0.3)


class Sender:
    def __init__(self, folder):
        self.folder = folder

    def send(self, number):
        path = os.path.join(self.folder, "parcel-%d" % number)
        with open(path, "wb") as box:
            box.write(b"x" * (number % 90))
        while os.path.exists(path):
            time.sleep(0.02)


def day(hasty):
    folder = tempfile.mkdtemp()
    Cart().start()
    Porter(folder, hasty).start()
    sender = Sender(folder)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number in itertools.count():
        sender.send(number)
