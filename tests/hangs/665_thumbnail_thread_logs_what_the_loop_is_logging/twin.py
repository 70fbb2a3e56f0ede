import os

os.environ["EVENTLET_NO_GREENDNS"] = "yes"

import eventlet

eventlet.monkey_patch()

import logging
import signal

import eventlet.tpool

signal.alarm(120)

log = logging.getLogger("gallery")


class Uploads(logging.Handler):
    def emit(self, record):
        self.send(record.getMessage())

    def send(self, text):
        eventlet.sleep(0.3)


def shrink(picture):
    return len(picture)


def show(pictures):
    eventlet.spawn(log.info, "showing %d pictures", len(pictures))
    eventlet.sleep(0.1)
    return [eventlet.tpool.execute(shrink, picture) for picture in pictures]


if __name__ == "__main__":
    log.setLevel(logging.INFO)
    log.addHandler(Uploads())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        show(["bridge.png", "harbour.png"])
