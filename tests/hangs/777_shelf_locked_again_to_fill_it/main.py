import os
import signal
import sys

import redis
from shelf import Shelf

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_shop(port):
    shelf = Shelf(redis.Redis(port=port, protocol=2), "north")
    shelf.put("bread", 3)
    shelf.fill_up({"bread": 5, "milk": 2})
    return shelf.goods


if __name__ == "__main__":
    port = start("redis_lock_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(open_shop(port))
