import logging
import os
import signal
import subprocess
import sys
import tempfile
import time

from concurrent_log_handler import ConcurrentRotatingFileHandler

FROZEN = False


def open_diary(path):
    diary = logging.getLogger("diary")
    diary.setLevel(logging.INFO)
    diary.addHandler(ConcurrentRotatingFileHandler(path, maxBytes=100000, backupCount=2))
    return diary


class SlowPage(ConcurrentRotatingFileHandler):
    def do_write(self, msg):
        print("writing", flush=True)
        time.sleep(0.2)
        super().do_write(msg)


def run_clerk(path):
    diary = logging.getLogger("diary")
    diary.setLevel(logging.INFO)
    diary.addHandler(SlowPage(path, maxBytes=100000, backupCount=2))
    while True:
        diary.info("clerk is well")
        time.sleep(0.05)


class Office:
    def __init__(self):
        self.path = os.path.join(tempfile.mkdtemp(), "diary.log")
        self.diary = open_diary(self.path)
        self.clerk = subprocess.Popen(
            [sys.executable, "-u", __file__, self.path], stdout=subprocess.PIPE, text=True
        )

    def send_to_lunch(self):
        self.clerk.stdout.readline()
        if FROZEN:
            self.clerk.send_signal(signal.SIGSTOP)

    def note(self, event):
        self.diary.info("noted: %s", event)


def main():
    office = Office()
    office.note("opened")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.send_to_lunch()
        office.note("lunch")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_clerk(sys.argv[1])
    else:
        main()
