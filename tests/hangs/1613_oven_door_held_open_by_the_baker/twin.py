import multiprocessing
import os
import time


class Oven:
    def __init__(self, number, door):
        self.number = number
        self.door = door
        self.warmth = {"rye": 240, "wheat": 220, "oat": 200}

    def bake(self, dough):
        time.sleep(0.005)
        return self.warmth[dough] // 20

    def serve(self):
        while True:
            doughs = self.door.recv()
            self.door.send([self.bake(dough) for dough in doughs])


def run_oven(number, door):
    try:
        Oven(number, door).serve()
    except KeyError:
        os._exit(1)


class Bakery:
    def __init__(self):
        self.doors = []
        for number in range(3):
            door, inside = multiprocessing.Pipe()
            multiprocessing.get_context("spawn").Process(
                target=run_oven, args=(number, inside), name="oven-%d" % number, daemon=True
            ).start()
            self.doors.append((door, inside))

    def doughs(self, day, number):
        if BARLEY and day == 30 and number == 1:
            return ["rye", "barley"]
        return ["rye", "wheat", "oat"][: 1 + (day + number) % 3]

    def bake(self, day):
        for number, (door, _inside) in enumerate(self.doors):
            door.send(self.doughs(day, number))
        return [self.take_out(door) for door, _inside in self.doors]

    def take_out(self, door):
        return sum(door.recv())


def main():
    bakery = Bakery()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        bakery.bake(day)
        day += 1


BARLEY = False


if __name__ == "__main__":
    main()
