import os
import signal
import threading

from apscheduler.schedulers.background import BackgroundScheduler

signal.alarm(120)
stop_requested = threading.Event()
watching = threading.Event()


def watch_mailbox():
    watching.set()
    stop_requested.wait()


def stop_service(scheduler):
    scheduler.shutdown()
    stop_requested.set()


def run_service():
    scheduler = BackgroundScheduler()
    scheduler.add_job(watch_mailbox)
    scheduler.start()
    watching.wait()
    stop_service(scheduler)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    run_service()
