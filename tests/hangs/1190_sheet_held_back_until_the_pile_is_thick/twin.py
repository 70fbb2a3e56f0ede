import os
import subprocess
import sys
import time

import yaml

CLERK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clerk.py")


class Office:
    def __init__(self):
        self.clerk = subprocess.Popen(
            [sys.executable, CLERK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.sheets = []

    def thank(self):
        self.clerk.stdin.write("thanks\n")
        self.clerk.stdin.flush()

    def documents(self):
        if STREAMED:
            yield from yaml.safe_load_all(self.clerk.stdout)
            return
        lines = []
        for line in self.clerk.stdout:
            if line == "...\n":
                yield yaml.safe_load("".join(lines))
                lines = []
            else:
                lines.append(line)

    def follow(self):
        for sheet in self.documents():
            self.sheets.append(sheet["number"])
            time.sleep(0.02)
            self.thank()


STREAMED = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Office().follow()
