import logging
import os
import signal
import time

from cloud import open_cloud
from settings import configure

signal.alarm(120)
log = logging.getLogger("mill")


class Mill:
    def __init__(self):
        self.cloud = open_cloud()
        configure(self.cloud)

    def grind(self, sack):
        log.info("ground sack %d", sack)


if __name__ == "__main__":
    mill = Mill()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sack = 0
    while True:
        mill.grind(sack)
        sack += 1
        time.sleep(0.2)
