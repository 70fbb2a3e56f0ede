import os
import threading

from yard.scale import Books, Siding
from yard.train import Yard, Train

ROTTEN = 7

if __name__ == "__main__":
    siding = Siding()
    books = Books()
    yard = Yard(siding, books, Train(ROTTEN))
    threading.Thread(target=books.audit, name="audit", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    yard.day()
