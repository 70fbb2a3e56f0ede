import os
import signal
import subprocess

import pandas

signal.alarm(120)


class Barn:
    def __init__(self, command):
        self.command = command

    def weigh(self, harvest):
        with subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as scale:
            harvest.to_csv(scale.stdin, index=False)
            scale.stdin.close()
            return pandas.read_csv(scale.stdout)


def bring_in(rows):
    harvest = pandas.DataFrame({"field": range(rows), "apples": range(rows)})
    return Barn(["cat"]).weigh(harvest)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    bring_in(300_000)
