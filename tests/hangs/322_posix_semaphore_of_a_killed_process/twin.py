import multiprocessing
import os
import signal
import time

import posix_ipc

signal.alarm(120)


def print_label(printer, text):
    printer.acquire()
    try:
        return text
    finally:
        printer.release()


def print_batch(printer):
    signal.alarm(120)
    while True:
        printer.acquire()
        time.sleep(0.05)
        printer.release()
        time.sleep(0.01)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    name = "/label-printer-%d" % os.getpid()
    printer = posix_ipc.Semaphore(name, posix_ipc.O_CREX, initial_value=1)
    printer.unlink()
    multiprocessing.Process(target=print_batch, args=(printer,), daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        print_label(printer, "fragile")
