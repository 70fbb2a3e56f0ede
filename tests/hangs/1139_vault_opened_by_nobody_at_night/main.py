import getpass
import hashlib
import os
import pty
import signal
import subprocess
import sys
import time

signal.alarm(120)

TYPIST = False


class Vault:
    def __init__(self):
        self.key = None
        self.unlocked = 0

    def unlock(self):
        words = getpass.getpass("passphrase: ")
        self.key = hashlib.sha256(words.encode()).digest()
        self.unlocked += 1


class Backup:
    def __init__(self, vault):
        self.vault = vault
        self.copied = 0

    def copy(self, name):
        self.copied += len(name) + self.vault.key[0]

    def run(self):
        self.vault.unlock()
        for name in ("books", "letters"):
            self.copy(name)
            time.sleep(0.1)


def back_up():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    backup = Backup(Vault())
    while True:
        backup.run()


def nightly():
    subprocess.run([sys.executable, "-u", __file__, "run"], stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        back_up()
    child, terminal = pty.fork()
    if child == 0:
        nightly()
    else:
        while True:
            shown = os.read(terminal, 1000)
            os.write(1, shown)
            if TYPIST and b"passphrase" in shown:
                time.sleep(0.1)
                os.write(terminal, b"seven swans\n")
