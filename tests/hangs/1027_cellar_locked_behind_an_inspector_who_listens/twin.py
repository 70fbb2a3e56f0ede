import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

import manhole

STAYS = False


def run_inspector(path):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        print(len(line.recv(4096)), flush=True)
        time.sleep(100 if STAYS else 0.2)


class Cellar:
    def __init__(self):
        self.path = os.path.join(tempfile.mkdtemp(), "cellar.sock")
        manhole.install(
            socket_path=self.path,
            daemon_connection=False,
            redirect_stderr=False,
            verbose=False,
            patch_fork=False,
        )
        self.barrels = 0

    def let_inspect(self):
        inspector = subprocess.Popen(
            [sys.executable, "-u", __file__, self.path], stdout=subprocess.PIPE, text=True
        )
        inspector.stdout.readline()

    def roll(self, barrels, pause=0.02):
        for _ in range(barrels):
            self.barrels += 1
            time.sleep(pause)


def main():
    cellar = Cellar()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    cellar.roll(10)
    cellar.let_inspect()
    cellar.roll(10 if STAYS else 3000)
    print("closed with %d threads" % threading.active_count(), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_inspector(sys.argv[1])
    else:
        main()
