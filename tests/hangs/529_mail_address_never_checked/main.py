import os
import queue
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from addresses import is_address

signal.alarm(120)

visitors = queue.Queue()
beats = []


def check_visitors():
    while True:
        name = visitors.get()
        beats.append((name, is_address(name)))


def beat():
    while True:
        time.sleep(0.5)
        beats.append(time.monotonic())
        del beats[:-10]


def run_counter():
    threading.Thread(target=check_visitors, name="visitors", daemon=True).start()
    threading.Thread(target=beat, name="heartbeat", daemon=True).start()
    visitors.put("ann@example.org")
    visitors.put("annemarie0123456789annemarie0123456789annemarie0123456789 example org")
    while True:
        time.sleep(1)
        beats.append("open")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_counter()
