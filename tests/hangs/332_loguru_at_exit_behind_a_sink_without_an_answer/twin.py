import os
import signal
import sys
import time

import requests
from loguru import logger

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def send_line(line):
    requests.get(f"{collector}/small", params={"line": line})


def bake_bread(loaves):
    for number in range(loaves):
        logger.info("loaf {} is done", number)
        time.sleep(0.05)


if __name__ == "__main__":
    collector = "http://127.0.0.1:%d" % start("http_server")
    logger.remove()
    logger.add(send_line, enqueue=True)
    print("MARK main pid=%d" % os.getpid())
    bake_bread(100_000)
