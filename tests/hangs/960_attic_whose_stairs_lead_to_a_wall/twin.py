import os
import sys
import time

import ZEO
from ZEO.ClientStorage import ClientStorage
from ZODB import DB

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

BUILT = True


class House:
    def __init__(self):
        self.visits = 0
        self.address = self.find_stairs()

    def find_stairs(self):
        if BUILT:
            address, self.close = ZEO.server(threaded=True)
            return address
        return ("127.0.0.1", start("silent_server"))

    def open_attic(self):
        storage = ClientStorage(self.address, wait=True, wait_timeout=3600)
        return DB(storage)

    def visit(self):
        attic = self.open_attic()
        try:
            with attic.transaction() as connection:
                connection.root.visits = self.visits
            self.visits += 1
        finally:
            attic.close()


def main():
    house = House()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        house.visit()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
