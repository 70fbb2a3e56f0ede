import os
import signal
import subprocess
import sys
import tempfile
import time

signal.alarm(120)
fifo_path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "progress.fifo")
DISPLAY = """
import os, sys, time
fifo = os.open(sys.argv[1], os.O_RDWR)
while os.read(fifo, 10):
    time.sleep(0.05)
"""


def report_progress(percent):
    with open(fifo_path, "w") as fifo:
        fifo.write("%d %%" % percent)


def process_files(count):
    for number in range(count):
        time.sleep(0.01)
        report_progress(100 * number // count)


if __name__ == "__main__":
    os.mkfifo(fifo_path)
    display = subprocess.Popen([sys.executable, "-c", DISPLAY, fifo_path])
    print("MARK main pid=%d" % os.getpid())
    while True:
        process_files(20)
