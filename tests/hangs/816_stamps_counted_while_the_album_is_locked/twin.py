import os
import signal
import time
from multiprocessing import Pool

from album import Album, paste_stamp

signal.alarm(120)


def fill_album(album, stamps):
    with Pool(2) as pool:
        while True:
            jobs = [(album.pages, album.turn, stamp) for stamp in stamps]
            pool.map(paste_stamp, jobs)
            with album.turn:
                time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    fill_album(Album(), ["penny", "sixpence", "shilling"])
