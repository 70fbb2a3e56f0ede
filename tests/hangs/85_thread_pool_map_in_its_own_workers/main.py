import os
import signal
import time
from multiprocessing.pool import ThreadPool

signal.alarm(120)
pool = ThreadPool(2)


def convert_song(song):
    time.sleep(0.02)
    return song.upper()


def convert_album(songs):
    return pool.map(convert_song, songs)


def convert_music(albums):
    return pool.map(convert_album, albums)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    convert_music([["do", "re"], ["mi", "fa"]])
