import os
import signal
import threading
import time

from apscheduler.schedulers.background import BackgroundScheduler

signal.alarm(120)
stop_requested = threading.Event()
watching = threading.Event()


def watch_mailbox():
    watching.set()
    stop_requested.wait()


def stop_service(scheduler):
    time.sleep(0.2)
    stop_requested.set()
    scheduler.shutdown()


def run_service():
    scheduler = BackgroundScheduler()
    scheduler.add_job(watch_mailbox)
    scheduler.start()
    watching.wait()
    stop_service(scheduler)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_service()
        stop_requested.clear()
        watching.clear()
        time.sleep(0.05)
