import os
import subprocess
import sys
import time

from websockets.sync.client import connect

HERE = os.path.dirname(os.path.abspath(__file__))


class Paper:
    def __init__(self):
        command = [sys.executable, os.path.join(HERE, "news.py")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())


class Reader:
    def __init__(self, line, nods):
        self.line = line
        self.nods = nods
        self.read = []

    def nod(self):
        self.line.send("go on")

    def next_headline(self):
        headline = self.line.recv()
        self.read.append(headline)
        return headline

    def read_paper(self, count):
        for _ in range(count):
            if self.nods:
                self.nod()
            self.next_headline()


def run_reader(nods):
    paper = Paper()
    with connect("ws://127.0.0.1:%d/news" % paper.port, ping_interval=None) as line:
        reader = Reader(line, nods)
        reader.next_headline()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            reader.read_paper(3)
            time.sleep(0.05)


NODS = True


if __name__ == "__main__":
    run_reader(NODS)
