import os
import signal
import time
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory

signal.alarm(120)


def stop_tracker():
    resource_tracker._resource_tracker._stop()


def share_table():
    table = SharedMemory(create=True, size=4096)
    time.sleep(0.1)
    table.close()
    table.unlink()
    stop_tracker()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        share_table()
