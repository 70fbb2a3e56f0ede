import os
import signal
import subprocess
import sys
import time

from UltraDict import UltraDict

KILLED = False
NAME = "seats%d"


def run_usher(name):
    seats = UltraDict(name=name, create=False, shared_lock=True)
    with seats.lock:
        seats["usher"] = os.getpid()
        print("marking", flush=True)
        time.sleep(0.2)
        if KILLED:
            os.kill(os.getpid(), signal.SIGKILL)


class Theatre:
    def __init__(self):
        self.seats = UltraDict(name=NAME % os.getpid(), create=True, shared_lock=True)
        self.sold = 0

    def hire(self):
        usher = subprocess.Popen(
            [sys.executable, "-u", __file__, self.seats.name], stdout=subprocess.PIPE, text=True
        )
        assert usher.stdout.readline() == "marking\n"
        return usher

    def reserve(self, seat):
        with self.seats.lock:
            self.seats[seat] = "sold"
            self.sold += 1

    def sell(self, seats):
        usher = self.hire()
        for seat in seats:
            self.reserve(seat)
        usher.wait()


def main():
    theatre = Theatre()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        theatre.sell(["A1", "A2"])
        time.sleep(0.05)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_usher(sys.argv[1])
    else:
        main()
