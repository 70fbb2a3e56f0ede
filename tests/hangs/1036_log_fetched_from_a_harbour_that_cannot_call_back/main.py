import ftplib
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HARBOUR = "behind a wall"


class LogBook:
    def __init__(self, port):
        self.port = port
        self.lines = []

    def call(self):
        line = ftplib.FTP()
        line.connect("127.0.0.1", self.port)
        line.login("mate", "anchor")
        line.set_pasv(False)
        return line

    def fetch_log(self, ship):
        with self.call() as line:
            line.retrlines("RETR %s.log" % ship, self.lines.append)

    def fetch_all(self):
        for ship in ("Anna", "Berta"):
            self.fetch_log(ship)


def open_harbour():
    command = [sys.executable, "-u", os.path.join(HERE, "harbour.py"), HARBOUR]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    return int(process.stdout.readline())


def main():
    book = LogBook(open_harbour())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        book.fetch_all()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
