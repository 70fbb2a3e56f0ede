import io
import os
import threading
import time

from yaspin import yaspin

SLOW = 0.05
SPELT = True


class Basket:
    def __init__(self):
        self.handle = threading.Lock()
        self.eggs = 0

    def __str__(self):
        time.sleep(SLOW)
        with self.handle:
            return "basket with %d eggs" % self.eggs


class Farm:
    def __init__(self, board):
        self.board = board
        self.basket = Basket()

    def gather(self):
        with self.basket.handle:
            self.basket.eggs += 1
            time.sleep(SLOW)
            if not SPELT:
                self.board.write("one more egg")
        if SPELT:
            self.board.write("one more egg")

    def gather_all(self):
        while True:
            self.gather()

    def show(self):
        self.board.write(self.basket)


def main():
    with yaspin(text="gathering", stream=io.StringIO()) as board:
        farm = Farm(board)
        threading.Thread(target=farm.gather_all, name="gatherer", daemon=True).start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            farm.show()
            time.sleep(0.01)


if __name__ == "__main__":
    main()
