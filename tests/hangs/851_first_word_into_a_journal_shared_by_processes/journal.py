import logging
import logging.handlers
import multiprocessing


def open_journal(level):
    lines = multiprocessing.Queue()
    logger = multiprocessing.get_logger()
    logger.setLevel(level)
    logger.addHandler(logging.handlers.QueueHandler(lines))
    logger.propagate = False
    return lines, logger


class Depot:
    def __init__(self, journal):
        self.journal = journal
        self.parcels = {}

    def take_in(self, number, weight):
        self.parcels[number] = weight
        self.journal.info("parcel %d of %d kg", number, weight)

    def hand_out(self, number):
        return self.parcels.pop(number)
