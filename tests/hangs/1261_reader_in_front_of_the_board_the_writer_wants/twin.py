import os
import threading
import time
from multiprocessing import Process
from multiprocessing.managers import BaseManager


class Board:
    def __init__(self):
        self.lock = threading.Lock()
        self.notes = []

    def take(self):
        with self.lock:
            while not self.notes and STAND:
                time.sleep(0.05)
            return self.notes.pop() if self.notes else None

    def pin(self, note):
        with self.lock:
            self.notes.append(note)


class Office(BaseManager):
    pass


Office.register("Board", Board)


def write_notes(board):
    number = 0
    while True:
        time.sleep(0.2)
        board.pin("note %d" % number)
        number += 1


def read_notes(board):
    while True:
        board.take()
        time.sleep(0.02)


STAND = False


if __name__ == "__main__":
    office = Office()
    office.start()
    board = office.Board()
    Process(target=write_notes, args=(board,), name="writer", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    read_notes(board)
