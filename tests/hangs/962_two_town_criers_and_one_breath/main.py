import os
import threading

import picologging

CRIERS = 2


class Crier:
    def __init__(self, town, board):
        self.log = picologging.getLogger(town)
        self.log.setLevel(picologging.INFO)
        self.log.addHandler(board)
        self.news = 0

    def cry(self):
        self.news += 1
        self.log.info("news %d of the day", self.news)

    def walk(self):
        while True:
            self.cry()


def hang_board():
    board = picologging.StreamHandler(open(os.devnull, "w"))
    board.setFormatter(picologging.Formatter("[%(name)s] [%(thread)d]: %(message)s"))
    return board


def main():
    board = hang_board()
    criers = [Crier(town, board) for town in ("market", "harbour")]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for crier in criers[1:CRIERS]:
        threading.Thread(target=crier.walk, name="harbour", daemon=True).start()
    criers[0].walk()


if __name__ == "__main__":
    main()
