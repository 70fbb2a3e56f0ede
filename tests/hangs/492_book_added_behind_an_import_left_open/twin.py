import os
import signal
import tempfile

from catalogue import Catalogue

signal.alarm(120)


def open_shop(catalogue, delivery):
    try:
        catalogue.read_delivery(delivery)
    except ValueError as error:
        print("delivery not read: %s" % error)
    catalogue.add_book("77", "The Lighthouse")
    catalogue.finish()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        catalogue = Catalogue(folder)
        print("MARK main pid=%d" % os.getpid())
        while True:
            open_shop(catalogue, ["12;Winter", "13;Sea and sand"])
