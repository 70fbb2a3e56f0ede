import os
import signal
import subprocess
import sys
import time

import redis
import redis_lock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

DIES = False


class Well:
    def __init__(self, port):
        self.redis = redis.Redis(port=port, protocol=2)
        self.buckets = 0

    def draw_water(self, buckets):
        with redis_lock.Lock(self.redis, "well"):
            for _ in range(buckets):
                time.sleep(0.005)
                self.buckets += 1
                if DIES and sys.argv[1:]:
                    os.kill(os.getpid(), signal.SIGKILL)


def work(port, rounds):
    well = Well(port)
    for _ in range(rounds):
        well.draw_water(2)
        time.sleep(0.05)


def early_shift(port):
    subprocess.run([sys.executable, __file__, str(port)])


def main():
    port = start("fake_redis_server")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    early_shift(port)
    work(port, 10000)


if __name__ == "__main__":
    if sys.argv[1:]:
        work(int(sys.argv[1]), 2)
    else:
        main()
