import os
import signal

from celery import Celery
from celery.contrib.testing.worker import start_worker

signal.alarm(120)

app = Celery("albums", broker="memory://", backend="cache+memory://")


@app.task
def resize_picture(number):
    return number * 2


@app.task
def build_album(name):
    return resize_picture.delay(1).get(disable_sync_subtasks=False)


def print_album(name):
    return build_album.delay(name).get()


if __name__ == "__main__":
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="ERROR"):
        print("MARK main pid=%d" % os.getpid())
        print_album("summer")
