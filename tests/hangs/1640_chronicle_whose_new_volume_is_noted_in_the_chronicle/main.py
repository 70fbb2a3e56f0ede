import os
import threading
import time

import structlog

from abbey.volume import Volume

PAGES = 12


class Scribe:
    def __init__(self, log):
        self.log = log
        self.lines = 0

    def work(self):
        while True:
            self.lines += 1
            self.log.info("copied", line=self.lines)
            time.sleep(0.05)


class Crier:
    def __init__(self, log):
        self.log = log
        self.cries = 0

    def work(self):
        while True:
            time.sleep(0.3)
            self.cries += 1
            self.log.info("cried", number=self.cries)


def bell(path):
    while True:
        time.sleep(0.5)
        os.stat(path)


if __name__ == "__main__":
    volume = Volume("/tmp/chronicle-%d" % os.getpid(), PAGES)
    structlog.configure(
        processors=[structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(volume),
    )
    log = structlog.get_logger()
    volume.log = log
    threading.Thread(target=Scribe(log).work, name="scribe", daemon=True).start()
    threading.Thread(target=bell, args=("/tmp",), name="bell", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Crier(log).work()
