import logging
import logging.handlers
import os
import queue
import signal
import time

signal.alarm(120)
log = logging.getLogger("shop")


class WaitingQueueHandler(logging.handlers.QueueHandler):
    def enqueue(self, record):
        self.queue.put(record)


class UploadHandler(logging.Handler):
    def __init__(self, attempts):
        super().__init__()
        self.attempts = attempts

    def emit(self, record):
        self.upload_line(record.getMessage())

    def upload_line(self, line):
        for attempt in range(self.attempts):
            log.warning("attempt %d to upload %s has failed", attempt, line[:20])


def count_stock():
    while True:
        log.info("7 apples")
        time.sleep(0.5)


def run_shop(attempts):
    lines = queue.Queue(maxsize=2)
    log.setLevel(logging.INFO)
    log.addHandler(WaitingQueueHandler(lines))
    logging.handlers.QueueListener(lines, UploadHandler(attempts)).start()
    count_stock()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    run_shop(4)
