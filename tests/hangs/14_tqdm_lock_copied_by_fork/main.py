import os
import signal
import sys
import threading
import time

from tqdm import tqdm

signal.alarm(120)
printing = threading.Event()


def print_summary():
    with tqdm.get_lock():
        printing.set()
        time.sleep(1)
        print("summary")


def convert(names):
    for _ in tqdm(names, file=sys.stderr):
        time.sleep(0.02)


def convert_in_child(names):
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        time.sleep(1.5)
        convert(names)
        os._exit(0)
    print("MARK child pid=%d" % child)
    os.waitpid(child, 0)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=print_summary, name="printer").start()
    printing.wait()
    convert_in_child(range(5))
