import multiprocessing
import time


def carry(parcel, journal):
    time.sleep(0.2)
    journal.put("%s delivered" % parcel)


def start_carrier(parcel, journal):
    carrier = multiprocessing.Process(target=carry, args=(parcel, journal), name="carrier")
    carrier.start()
    return carrier


def deliver(parcels):
    journal = multiprocessing.SimpleQueue()
    carriers = [start_carrier(parcel, journal) for parcel in parcels]
    while any(carrier.is_alive() for carrier in carriers):
        time.sleep(0.1)
    return [journal.get() for _ in parcels]
