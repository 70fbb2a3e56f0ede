import os
import signal
import threading
import time

import book

signal.alarm(120)


def keep_writing():
    while True:
        with book.lock:
            time.sleep(0.2)
            book.lines.append("sold a cup")


if __name__ == "__main__":
    threading.Thread(target=keep_writing, name="writer", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.5)
