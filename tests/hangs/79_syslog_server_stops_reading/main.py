import logging
import logging.handlers
import os
import signal
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
log = logging.getLogger("shop")
rows = []


def set_up_logging(port):
    handler = logging.handlers.SysLogHandler(("127.0.0.1", port), socktype=socket.SOCK_STREAM)
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)


def import_rows(count):
    for number in range(count):
        rows.append(number)
        log.debug("row %d: %s", number, "x" * 60_000)


def report_total():
    log.info("%d rows so far", len(rows))


def run_import(count):
    importer = threading.Thread(target=import_rows, args=(count,), name="importer")
    importer.start()
    while importer.is_alive():
        time.sleep(0.5)
        report_total()
    importer.join()


if __name__ == "__main__":
    set_up_logging(start("syslog_server", "deaf"))
    print("MARK main pid=%d" % os.getpid())
    run_import(1000)
