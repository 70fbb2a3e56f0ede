"""A prefill and a decode process that ask each other: ``credit_line.py hung|healthy``.

Hung: prefill asks for a credit before it has its block ready; decode keeps the only credit while it
asks for that block. Each question is in the hands of a thread that waits for another one's answer.
"""

import multiprocessing
import os
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Client, Listener

from ready import ready

HUNG = sys.argv[1] == "hung"


class Line:
    """One question at a time."""

    def __init__(self, path):
        while not os.path.exists(path):
            time.sleep(0.02)
        self.connection = Client(path, "AF_UNIX")

    def ask(self, what):
        self.connection.send(what)
        return self.connection.recv()


class Prefill:
    def __init__(self, path, peer):
        self.path, self.peer = path, peer
        self.blocks = []
        self.changed = threading.Condition()

    def prefill(self):
        if HUNG:
            Line(self.peer).ask("credit")
        with self.changed:
            self.blocks.append("block")
            self.changed.notify_all()

    def fetch(self):
        with self.changed:
            while not self.blocks:
                self.changed.wait()
            return self.blocks.pop()


class Decode:
    def __init__(self, path, peer):
        self.path, self.peer = path, peer
        self.credits = threading.Semaphore(1)

    def credit(self):
        self.credits.acquire()

    def decode(self):
        with self.credits:
            return Line(self.peer).ask("fetch")


def serve(worker):
    listener = Listener(worker.path, "AF_UNIX")
    while True:
        connection = listener.accept()
        threading.Thread(target=answer, args=(worker, connection), daemon=True).start()


def answer(worker, connection):
    while True:
        try:
            what = connection.recv()
        except EOFError:
            return
        connection.send(getattr(worker, what)())


def main():
    folder = tempfile.mkdtemp()
    places = [os.path.join(folder, name) for name in ("prefill", "decode")]
    for worker in (Prefill(*places), Decode(*reversed(places))):
        multiprocessing.get_context("fork").Process(
            target=serve, args=(worker,), daemon=True
        ).start()
    lines = [Line(path) for path in places]
    told = False
    while True:
        decoding = threading.Thread(target=lines[1].ask, args=("decode",), name="request")
        decoding.start()
        time.sleep(0.2)
        if not told:
            ready()
            told = True
        lines[0].ask("prefill")
        decoding.join()


main()
