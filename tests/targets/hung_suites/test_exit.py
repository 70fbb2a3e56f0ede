"""A thread is not told to stop, and the interpreter's exit waits for it."""

import threading


def listen(stop):
    stop.wait()


def test_before():
    pass


def test_listener():
    threading.Thread(target=listen, args=(threading.Event(),), name="listener").start()


def test_after():
    pass
