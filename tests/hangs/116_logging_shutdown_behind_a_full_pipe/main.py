import logging
import os
import signal
import subprocess
import sys
import threading
import time

signal.alarm(120)
ROTATE = "import sys, time\nsys.stdin.readline()\nwhile True: time.sleep(1)"
log = logging.getLogger("shop")


def log_orders():
    for number in range(100_000):
        log.info("order %d has been paid", number)


def start_log(program):
    rotate = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, text=True)
    log.setLevel(logging.INFO)
    log.addHandler(logging.StreamHandler(rotate.stdin))


def serve_shop(seconds):
    threading.Thread(target=log_orders, name="orders", daemon=True).start()
    time.sleep(seconds)


if __name__ == "__main__":
    start_log(ROTATE)
    print("MARK main pid=%d" % os.getpid())
    serve_shop(2)
