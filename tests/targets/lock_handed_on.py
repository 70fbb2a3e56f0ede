"""lock_handed_on.py HOW: requests open the one session of a book; somebody else closes it.

HOW: "writer", a thread that takes sessions from a queue and sleeps over each; "timer", the
session's time is over by then.
"""

import queue
import sys
import threading
import time

from ready import ready

LONG_S = 50


class Session:
    def __init__(self, book):
        self.book = book

    def close(self):
        self.book.open_now.release()


class Book:
    def __init__(self):
        self.open_now = threading.Lock()

    def session(self):
        self.open_now.acquire()
        return Session(self)


def request(book, hand_on):
    while True:
        hand_on(book.session())


def write(sessions):
    while True:
        session = sessions.get()
        time.sleep(LONG_S)
        session.close()


def close_later(session):
    timer = threading.Timer(LONG_S, session.close)
    timer.daemon = True
    timer.start()


def start(function, *given):
    threading.Thread(target=function, args=given, name=function.__name__, daemon=True).start()


book, opened = Book(), queue.Queue()
if sys.argv[1] == "writer":
    start(write, opened)
hand_on = opened.put if sys.argv[1] == "writer" else close_later
for _ in range(3):
    start(request, book, hand_on)
time.sleep(0.2)
ready()
threading.Event().wait(3 * LONG_S)
