import multiprocessing
import struct
import time

SIZE = 16


class Spoiled(Exception):
    pass


class Wheel:
    """Buckets in shared memory: a well fills them, a trough empties them."""

    def __init__(self, context, buckets):
        self.buckets = buckets
        self.memory = context.RawArray("c", buckets * SIZE)
        self.empty = context.Semaphore(buckets)
        self.full = context.Semaphore(0)
        self.poured = context.Value("i", 0)

    def fill(self, number):
        self.empty.acquire()
        at = number % self.buckets * SIZE
        self.memory[at : at + 8] = struct.pack("q", number)
        self.full.release()

    def lift(self, number, careful):
        self.full.acquire()
        at = number % self.buckets * SIZE
        if not careful:
            water = self.taste(struct.unpack("q", self.memory[at : at + 8])[0])
            self.empty.release()
            return water
        try:
            return self.taste(struct.unpack("q", self.memory[at : at + 8])[0])
        finally:
            self.empty.release()

    def taste(self, number):
        if number % 50 == 49:
            raise Spoiled(number)
        return number


def trough(wheel, careful):
    number = spoiled = 0
    while True:
        try:
            wheel.lift(number, careful)
            wheel.poured.value += 1
        except Spoiled:
            spoiled += 1
        number += 1


def well(wheel):
    number = 0
    while True:
        wheel.fill(number)
        number += 1
        time.sleep(0.001)


class Garden:
    def __init__(self, careful):
        context = multiprocessing.get_context("fork")
        self.wheel = Wheel(context, 4)
        self.drinker = context.Process(
            target=trough, name="trough", args=(self.wheel, careful), daemon=True
        )

    def summer(self):
        self.drinker.start()
        well(self.wheel)
