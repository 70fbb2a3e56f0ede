import os
import subprocess
import sys

import psutil

HOLDS_COAT = False


def run_lamplighter():
    for line in sys.stdin:
        print("lit", line.strip(), flush=True)


class Street:
    def __init__(self):
        self.lit = 0

    def hire(self):
        return subprocess.Popen(
            [sys.executable, "-u", __file__, "lamplighter"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def light(self, lamplighter, lamps):
        for lamp in range(lamps):
            print(lamp, file=lamplighter.stdin, flush=True)
            assert lamplighter.stdout.readline().startswith("lit")
            self.lit += 1

    def wait_home(self, pid):
        psutil.Process(pid).wait()

    def evening(self, lamps):
        lamplighter = self.hire()
        self.light(lamplighter, lamps)
        if not HOLDS_COAT:
            lamplighter.stdin.close()
        self.wait_home(lamplighter.pid)


def main():
    street = Street()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        street.evening(3)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_lamplighter()
    else:
        main()
