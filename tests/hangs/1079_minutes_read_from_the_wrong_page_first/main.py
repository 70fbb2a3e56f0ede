import os
import subprocess
import sys

READ_FIRST = "stderr"

RESOLVER = """
import json, sys
pins = {"package-%05d" % number: "1.%d" % number for number in range(9000)}
json.dump(pins, sys.stdout)
sys.stdout.flush()
print("resolved", len(pins), file=sys.stderr)
"""


class Resolver:
    def __init__(self):
        self.notes = []

    def start(self):
        return subprocess.Popen(
            [sys.executable, "-c", RESOLVER],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def follow(self, child):
        for line in child.stderr:
            self.notes.append(line.strip())
        del self.notes[:-5]

    def resolve(self):
        child = self.start()
        if READ_FIRST == "stderr":
            self.follow(child)
            pins = child.stdout.read()
        else:
            pins = child.stdout.read()
            self.follow(child)
        child.wait()
        return pins


class Lockfile:
    def __init__(self):
        self.text = ""

    def update(self, resolver):
        self.text = resolver.resolve()


def main():
    lockfile, resolver = Lockfile(), Resolver()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        lockfile.update(resolver)


if __name__ == "__main__":
    main()
