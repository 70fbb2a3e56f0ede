import os
import signal
import tempfile
import time

signal.alarm(120)
fifo_path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "progress.fifo")


def report_progress(percent):
    with open(fifo_path, "w") as fifo:
        fifo.write("%d %%" % percent)


def process_files(count):
    for number in range(count):
        time.sleep(0.01)
        report_progress(100 * number // count)


if __name__ == "__main__":
    os.mkfifo(fifo_path)
    print("MARK main pid=%d" % os.getpid())
    process_files(20)
