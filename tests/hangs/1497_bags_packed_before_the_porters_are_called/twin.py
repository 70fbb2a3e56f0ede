import os

from hotel.bell import Bell
from hotel.porters import Porters

ROOMS = 600


def tables(rooms):
    return [list(range(floor, floor + rooms)) for floor in range(3)]


def main():
    Bell().start()
    porters = Porters(2, tables(ROOMS))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    porters.call()
    bag = 0
    while True:
        for _ in range(50):
            porters.send(bag)
            bag += 1
        porters.wait()


if __name__ == "__main__":
    main()
