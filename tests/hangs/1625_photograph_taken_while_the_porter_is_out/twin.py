import os
import threading
import time

from lodge.keys import KeyBoard
from lodge.staff import Copyist, Porter, Stairs

OUT_WITH_KEYS = False

if __name__ == "__main__":
    board = KeyBoard()
    board.guard_copies()
    copyist = Copyist(board)
    porter = Porter(board, copyist, OUT_WITH_KEYS)
    threading.Thread(target=Stairs(board).sweep, name="stairs", daemon=True).start()
    threading.Thread(target=porter.work, name="porter", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.2)
        copyist.copy_all()
