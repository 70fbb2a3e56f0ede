import os
import signal
import time

from celery.contrib.testing.worker import start_worker
from reports import app, report_visitors

signal.alarm(120)

if __name__ == "__main__":
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="ERROR"):
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            report_visitors(["monday", "friday"])
            time.sleep(0.2)
