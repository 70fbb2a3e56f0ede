import os
import signal
import time

from celery import Celery
from celery.contrib.testing.worker import start_worker

signal.alarm(120)

app = Celery("albums", broker="memory://", backend="cache+memory://")


@app.task
def resize_picture(number):
    time.sleep(0.05)
    return number * 2


@app.task
def build_album(name):
    return resize_picture(1)


def print_album(name):
    return build_album.delay(name).get(interval=0.02)


if __name__ == "__main__":
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="ERROR"):
        print("MARK main pid=%d" % os.getpid())
        while True:
            print_album("summer")
