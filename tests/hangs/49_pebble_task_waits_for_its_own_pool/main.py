import os
import signal
import threading

from pebble import ThreadPool

signal.alarm(120)
both = threading.Barrier(2)


def make_thumbnail(picture):
    return picture[:1]


def build_album(pool, picture):
    both.wait()
    return pool.schedule(make_thumbnail, args=[picture]).result()


def build_all(pool, pictures):
    albums = [pool.schedule(build_album, args=[pool, one]) for one in pictures]
    return [album.result() for album in albums]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    with ThreadPool(max_workers=2) as pool:
        build_all(pool, ["sea", "hill"])
