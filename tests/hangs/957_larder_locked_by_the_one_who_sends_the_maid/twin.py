import fcntl
import os
import sys
import tempfile
import time

import mitogen.core
import mitogen.master
import mitogen.utils

KEEPS_KEY = False


def lock_larder(path):
    key = open(path, "a")
    fcntl.flock(key, fcntl.LOCK_EX)
    return key


def put_away(path, jars):
    key = lock_larder(path)
    try:
        with open(path + ".list", "a") as shelf:
            shelf.write("%d jars\n" % jars)
    finally:
        key.close()
    return jars


class House:
    def __init__(self, router, folder):
        self.path = os.path.join(folder, "larder.lock")
        self.maid = router.local(python_path=[sys.executable], remote_name="larder")
        self.jars = 0

    def restock(self, jars):
        key = lock_larder(self.path)
        try:
            if not KEEPS_KEY:
                key.close()
            self.jars += self.maid.call(put_away, self.path, jars)
        finally:
            key.close()


def main():
    mitogen.utils.log_to_file(level="ERROR")
    broker = mitogen.master.Broker()
    router = mitogen.master.Router(broker)
    try:
        house = House(router, tempfile.mkdtemp())
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            house.restock(3)
            time.sleep(0.05)
    finally:
        broker.shutdown()


if __name__ == "__main__":
    main()
