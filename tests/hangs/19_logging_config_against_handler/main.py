import logging
import logging.config
import os
import signal
import threading
import time

signal.alarm(120)
emitting = threading.Event()


class ShippingHandler(logging.Handler):
    def emit(self, record):
        emitting.set()
        time.sleep(0.5)
        logging.getLogger("shipping." + record.name)


def ship_goods():
    logging.getLogger("goods").warning("shipped")


def reload_settings():
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False})


def start_day():
    logging.getLogger().handlers[:] = [ShippingHandler()]
    worker = threading.Thread(target=ship_goods, name="shipper")
    worker.start()
    emitting.wait()
    reload_settings()
    worker.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    start_day()
