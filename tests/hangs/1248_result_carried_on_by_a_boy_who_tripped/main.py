import logging
import os
import time
from concurrent.futures import Future, ThreadPoolExecutor

logging.getLogger("concurrent.futures").disabled = True
SACKS = {"rye": 2}


class Mill:
    def __init__(self):
        self.stones = ThreadPoolExecutor(1, thread_name_prefix="stone")

    def turn(self, grain):
        time.sleep(0.1)
        return grain

    def grind(self, grain):
        flour = Future()

        def carry(turned):
            flour.set_result(SACKS[turned.result()])

        self.stones.submit(self.turn, grain).add_done_callback(carry)
        return flour.result()


if __name__ == "__main__":
    mill = Mill()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mill.grind("rye")
        mill.grind("oats")
