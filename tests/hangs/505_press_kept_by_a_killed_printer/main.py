import os
import signal
import subprocess
import sys
import time

import sysv_ipc

signal.alarm(120)


class Press:
    def __init__(self, key):
        self.turn = sysv_ipc.Semaphore(key)

    def print_sheet(self, name, seconds):
        with self.turn:
            time.sleep(seconds)
            print("printed", name)


def print_posters(press):
    for number in range(10000):
        press.print_sheet("poster %d" % number, 0.2)


def print_book_until_it_is_too_big(key):
    job = subprocess.Popen([sys.executable, "-u", __file__, str(key)])
    time.sleep(1)
    job.kill()
    job.wait()


if __name__ == "__main__":
    if sys.argv[1:]:
        Press(int(sys.argv[1])).print_sheet("book", 60)
    else:
        turn = sysv_ipc.Semaphore(None, sysv_ipc.IPC_CREX, initial_value=1)
        try:
            print_book_until_it_is_too_big(turn.key)
            print("MARK main pid=%d" % os.getpid())
            print_posters(Press(turn.key))
        finally:
            turn.remove()
