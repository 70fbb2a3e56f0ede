import os
import time

from yard.boat import Boat
from yard.plan import Weather, Yard

OAK = []


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Weather().start()
    while True:
        boat = Boat(list(OAK))
        yard = Yard(boat.skills())
        yard.open()
        yard.build(Boat.PLAN)
        time.sleep(20)


if __name__ == "__main__":
    main()
