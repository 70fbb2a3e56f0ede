import os
import signal
import sys

import redis

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def clone_policy(server, target):
    with server.lock("clone-policy", sleep=0.2):
        target["cloned"] = True


def start_worker(port):
    server = redis.Redis(port=port, protocol=2)
    clone_policy(server, {})


if __name__ == "__main__":
    port = start("redis_lock_server", "clone-policy")
    print("MARK main pid=%d" % os.getpid())
    start_worker(port)
