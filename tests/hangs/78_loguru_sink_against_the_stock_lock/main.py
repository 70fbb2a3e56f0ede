import os
import signal
import threading
import time

from loguru import logger

signal.alarm(120)
stock_lock = threading.Lock()
counting = threading.Event()
stock = {"messages": 0, "tea": 7}


def count_message(message):
    with stock_lock:
        stock["messages"] += 1


def sell(article):
    counting.wait()
    logger.info("sold {}", article)


def take_stock():
    with stock_lock:
        counting.set()
        time.sleep(1)
        logger.info("{} left", stock["tea"])


if __name__ == "__main__":
    logger.remove()
    logger.add(count_message)
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=sell, args=("tea",), name="seller").start()
    take_stock()
