import logging
import os
import signal
import threading
import time

from weblog import TurningHandler

signal.alarm(120)
SLAVES = ("north", "south", "east")


def open_log():
    build = logging.getLogger("build")
    build.setLevel(logging.INFO)
    build.propagate = False
    logging.getLogger("summary").addHandler(logging.NullHandler())
    notice = logging.getLogger("summary")
    build.addHandler(TurningHandler(1000, notice))
    return build


def run_builds(slave):
    log = logging.getLogger("build")
    while True:
        log.info("slave %s took a subjob", slave)
        time.sleep(0.03)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_log()
    for slave in SLAVES:
        threading.Thread(target=run_builds, args=(slave,), name=slave, daemon=True).start()
    run_builds("master")
