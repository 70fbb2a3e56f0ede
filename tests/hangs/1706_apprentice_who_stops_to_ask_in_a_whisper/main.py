import os
import threading
import time

from workshop.master import Apprentice, Bench

LONGEST = 95


class Stove(threading.Thread):
    def __init__(self):
        super().__init__(name="stove", daemon=True)
        self.logs = 0

    def run(self):
        while True:
            time.sleep(0.6)
            self.logs += 1


def main():
    apprentice = Apprentice()
    benches = [
        Bench("oak-bench", apprentice, [40, 55, 62], time.sleep),
        Bench("elm-bench", apprentice, [71, 84, LONGEST], time.sleep),
    ]
    Stove().start()
    for bench in benches:
        bench.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for bench in benches:
        bench.join()


if __name__ == "__main__":
    main()
