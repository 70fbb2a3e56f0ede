import os
import signal
import time

from uploads import Uploads

signal.alarm(120)


def store(name, data):
    time.sleep(0.05)
    return len(data)


def run_backup(uploads):
    while True:
        futures = [uploads.add(f"album-{number}", b"picture" * 100) for number in range(4)]
        time.sleep(0.02)
        for future in futures:
            uploads.finish(future)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_backup(Uploads(store, 2))
