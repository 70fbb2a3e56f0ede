import os
import pty
import signal
import subprocess
import sys

signal.alarm(120)

ASK = "import getpass; print(len(getpass.getpass('Password of the archive: ')))"


class Archive:
    def __init__(self, name):
        self.name = name

    def open(self):
        done = subprocess.run([sys.executable, "-c", ASK], stdout=subprocess.PIPE, check=True)
        return int(done.stdout)


def restore(names):
    while True:
        for name in names:
            Archive(name).open()


def at_the_terminal(work):
    pid, terminal = pty.fork()
    if pid == 0:
        work(["letters", "pictures"])
        os._exit(0)
    return pid, terminal


if __name__ == "__main__":
    pid, terminal = at_the_terminal(restore)
    print("MARK main pid=%d" % pid, flush=True)
    try:
        while shown := os.read(terminal, 1000):
            if b"Password" in shown:
                os.write(terminal, b"secret\n")
    except OSError:
        pass
