import itertools
import os
import signal
import subprocess
import threading
import time

signal.alarm(120)


class Journal:
    def __init__(self):
        self.lock = threading.Lock()
        self.lines = []

    def write(self, line, pause=0.0):
        with self.lock:
            self.lines.append(line)
            time.sleep(pause)


def keep_journal(journal):
    while True:
        journal.write("alive", 0.02)


def lower_priority():
    os.nice(1)


def convert_film(names):
    for name in names:
        journal.write(name)
        subprocess.run(["true", name], preexec_fn=lower_priority, check=True)


if __name__ == "__main__":
    journal = Journal()
    threading.Thread(target=keep_journal, args=(journal,), name="journal", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    convert_film("film %d" % number for number in itertools.count())
