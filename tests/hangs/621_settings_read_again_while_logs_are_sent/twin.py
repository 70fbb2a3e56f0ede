import logging
import logging.config
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

log = logging.getLogger("shop.orders")


def logging_settings(port):
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {
            "logtail": {
                "class": "logtail.LogtailHandler",
                "source_token": "t0ken",
                "host": "http://127.0.0.1:%d" % port,
            },
        },
        "loggers": {"shop": {"level": "INFO", "handlers": ["logtail"]}},
    }


class Shop:
    def __init__(self, port):
        self.port = port
        self.orders = []

    def configure(self):
        logging.config.dictConfig(logging_settings(self.port))

    def take_order(self, dish):
        log.info("order %d: %s", len(self.orders) + 1, dish)
        self.orders.append(dish)


def run_day(shop):
    shop.configure()
    for dish in ("soup", "bread", "fish"):
        shop.take_order(dish)
    shop.configure()


if __name__ == "__main__":
    shop = Shop(start("http_server"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        run_day(shop)
