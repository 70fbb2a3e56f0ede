import bz2
import os
import subprocess
import sys
import threading
import time

FEED = """
import bz2, os, sys, time
rows = bz2.compress(os.urandom(200000))
whole = sys.argv[1] == "whole"
while True:
    os.write(1, rows if whole else rows[:90000])
    time.sleep(0.1 if whole else 600)
"""
AMOUNT = "whole"


class Importer:
    def __init__(self):
        command = [sys.executable, "-c", FEED, AMOUNT]
        self.feed = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.scroll = bz2.BZ2File(self.feed.stdout)
        self.size = 0
        self.reader = threading.Thread(target=self.unpack, name="unpacker", daemon=True)

    def unpack(self):
        while True:
            try:
                block = self.scroll.read(4096)
            except ValueError:
                return
            self.size += len(block)

    def stop(self):
        self.scroll.close()
        self.feed.kill()
        self.feed.wait()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        work = Importer()
        work.reader.start()
        time.sleep(1.5)
        work.stop()
