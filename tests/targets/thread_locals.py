"""Threads of which two keep something in a ``threading.local``, and rest."""

import threading

from ready import ready

desk = threading.local()
over = threading.Event()
kept = threading.Semaphore(0)


class Slip(object):
    pass


def clerk():
    desk.slip = Slip()
    kept.release()
    over.wait()


for name in ("clerk-1", "clerk-2"):
    threading.Thread(target=clerk, name=name).start()
    kept.acquire()
threading.Thread(target=over.wait, name="guest").start()
ready()
over.wait()
