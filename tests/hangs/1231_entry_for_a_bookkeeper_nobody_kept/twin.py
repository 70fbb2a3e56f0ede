import itertools
import os
import queue
import threading

from blinker import Signal

packed = Signal()


class Bookkeeper:
    def __init__(self, booked):
        self.booked = booked
        self.numbers = []
        packed.connect(self.note)

    def note(self, sender, number):
        self.numbers.append(number)
        self.booked.set()


class Packer(threading.Thread):
    def __init__(self):
        super().__init__(name="packer", daemon=True)
        self.orders = queue.Queue()

    def run(self):
        while True:
            number = self.orders.get()
            packed.send(self, number=number)


class Shop:
    def __init__(self):
        self.booked = threading.Event()
        self.packer = Packer()
        self.packer.start()
        self.staff = [self.hire()]

    def hire(self):
        keeper = Bookkeeper(self.booked)
        return keeper

    def confirm(self, number):
        self.packer.orders.put(number)
        self.booked.wait()
        self.booked.clear()


if __name__ == "__main__":
    shop = Shop()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number in itertools.count():
        shop.confirm(number)
