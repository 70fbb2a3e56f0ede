import os
import selectors
import subprocess
import sys
import time


class Weaver:
    def __init__(self):
        self.cloth = 0

    def weave(self, pattern):
        time.sleep(0.01)
        self.cloth += pattern % 5

    def serve(self):
        for order in sys.stdin:
            pattern = int(order)
            if pattern % 20 == 19:
                report = "begun %d\nwoven %d\n" % (pattern, pattern)
            else:
                sys.stdout.write("begun %d\n" % pattern)
                sys.stdout.flush()
                self.weave(pattern)
                report = "woven %d\n" % pattern
            sys.stdout.write(report)
            sys.stdout.flush()


class Loom:
    def __init__(self, number):
        self.number = number
        self.begun = self.woven = 0
        self.process = subprocess.Popen(
            [sys.executable, "-u", __file__, "weaver"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=BUFFER,
        )

    def order(self, pattern):
        self.process.stdin.write(b"%d\n" % pattern)
        self.process.stdin.flush()

    def take_report(self):
        word, number = self.process.stdout.readline().split()
        if word == b"begun":
            self.begun += 1
        else:
            self.woven += 1
            self.order(int(number) + 1)


class Mill:
    def __init__(self):
        self.looms = [Loom(number) for number in range(2)]
        self.selector = selectors.DefaultSelector()
        for loom in self.looms:
            self.selector.register(loom.process.stdout, selectors.EVENT_READ, loom)
            loom.order(0)

    def run(self):
        while True:
            for key, _events in self.selector.select():
                key.data.take_report()


BUFFER = -1


if __name__ == "__main__":
    if sys.argv[1:] == ["weaver"]:
        Weaver().serve()
    else:
        mill = Mill()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        mill.run()
