import os
import sys
import threading

from alive_progress import alive_bar

from inn.board import Board
from inn.till import Customers, Till

if __name__ == "__main__":
    till = Till()
    board = Board(sys.stderr, till, reads=False)
    customers = Customers(till)
    with alive_bar(file=board, force_tty=True, refresh_secs=0.01) as bar:
        till.ring = bar
        cashier = threading.Thread(target=till.work, name="cashier", daemon=True)
        cashier.start()
        customers.start()
        print("MARK main pid=%d" % os.getpid(), file=sys.__stdout__, flush=True)
        cashier.join()
