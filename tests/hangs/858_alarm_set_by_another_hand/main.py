import os
import signal
import threading
import time

from board import Board

signal.alarm(120)


def announce(board, train):
    time.sleep(0.3)
    board.close_after(0.5, train)


def show_trains():
    while True:
        board = Board()
        threading.Thread(target=announce, args=(board, b"15:04"), name="announcer").start()
        board.show()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    show_trains()
