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


def print_batch(printer, printing):
    printer.acquire()
    printing.set()
    time.sleep(600)


def kill_batch(printer):
    printing = multiprocessing.Event()
    batch = multiprocessing.Process(target=print_batch, args=(printer, printing))
    batch.start()
    printing.wait()
    batch.kill()
    batch.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    name = "/label-printer"
    try:
        posix_ipc.unlink_semaphore(name)
    except posix_ipc.ExistentialError:
        pass
    printer = posix_ipc.Semaphore(name, posix_ipc.O_CREX, initial_value=1)
    kill_batch(printer)
    print("MARK main pid=%d" % os.getpid())
    print_label(printer, "fragile")
