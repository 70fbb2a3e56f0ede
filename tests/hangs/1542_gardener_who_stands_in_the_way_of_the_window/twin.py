import os
import time

from green.house import Gardener, House, Sun

WATCHED = ("heater", "probe", "lamp")


def main():
    house = House()
    gardener = Gardener(house)
    gardener.watch(WATCHED)
    Sun(house).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(1)
        print(gardener.opened, flush=True)


if __name__ == "__main__":
    main()
