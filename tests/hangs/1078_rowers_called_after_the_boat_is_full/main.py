import os
import queue
import threading

OARS = 3
SIZE = OARS


class Rower(threading.Thread):
    def __init__(self, parts, landed):
        super().__init__(daemon=True)
        self.parts = parts
        self.landed = landed

    def run(self):
        while part := self.parts.get():
            number, load = part
            self.landed.append((number, len(load)))
            self.parts.task_done()


class Boat:
    def __init__(self, oars, size):
        self.parts = queue.Queue(size)
        self.landed = []
        self.rowers = [Rower(self.parts, self.landed) for _ in range(oars)]

    def load(self, number, goods):
        self.parts.put((number, goods))

    def row(self):
        for rower in self.rowers:
            rower.start()
        self.parts.join()
        for _ in self.rowers:
            self.parts.put(None)
        return sorted(self.landed)


class Crossing:
    def __init__(self, goods):
        self.goods = goods

    def split(self, size):
        return [self.goods[start : start + size] for start in range(0, len(self.goods), size)]

    def ship(self, size):
        boat = Boat(OARS, SIZE)
        for number, part in enumerate(self.split(size)):
            boat.load(number, part)
        return boat.row()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Crossing(b"salt" * 9).ship(4)


if __name__ == "__main__":
    main()
