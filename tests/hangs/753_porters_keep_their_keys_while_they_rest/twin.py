import os
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor

from twin_hotel import Hotel

signal.alarm(120)


def make_beds(hotel, rooms):
    with ThreadPoolExecutor(2, thread_name_prefix="porter") as porters:
        list(porters.map(hotel.make_bed, rooms))
        return hotel.count_made()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        hotel = Hotel(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            make_beds(hotel, range(20))
