import os

from museum.guides import day
from museum.rooms import House

PARTIES = [(("armour", "coins"), 8), (("maps",), 12), (("coins", "maps"), 30)]
PARTIES += [(("armour",), 9), (("maps", "armour"), 5), (("coins",), 3)]


def main():
    house = House(("armour", "coins", "maps"))
    waiting = day(house, ("ruth", "sven"), PARTIES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    waiting.join()


if __name__ == "__main__":
    main()
