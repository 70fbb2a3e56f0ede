import os
import sys

import walrus

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import stub

KEY_FOR_COUNT = "ledger"


class Pantry:
    def __init__(self, port):
        self.store = walrus.Database(host="127.0.0.1", port=port, protocol=2)
        self.key = self.store.lock("pantry", ttl=None)
        self.jars = {"plum": 4, "quince": 2}

    def count(self):
        with self.store.lock(KEY_FOR_COUNT, ttl=None):
            return sum(self.jars.values())

    def take(self, kind):
        with self.key:
            self.jars[kind] -= 1
            return self.count()

    def put_back(self, kind):
        self.jars[kind] += 1


def cook(pantry):
    left = pantry.take("plum")
    pantry.put_back("plum")
    return left


def main():
    pantry = Pantry(stub.start("redis_list_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        cook(pantry)


if __name__ == "__main__":
    main()
