import multiprocessing
import os
import signal

from memory_profiler import memory_usage

signal.alarm(120)


class Mill:
    def __init__(self, sacks):
        self.sacks = sacks
        self.flour = []

    def grind(self, sack):
        return [grain * 2 for grain in range(sack * 1000)]

    def run(self):
        for sack in self.sacks:
            self.flour.append(len(self.grind(sack)))
        self.tidy()

    def tidy(self):
        for helper in multiprocessing.active_children():
            helper.terminate()
            helper.join()


def report_day(mill):
    used = memory_usage((mill.run, ()), interval=0.05, max_usage=True)
    return "%d sacks, %d MB" % (len(mill.flour), used)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(report_day(Mill([3, 1, 4])))
