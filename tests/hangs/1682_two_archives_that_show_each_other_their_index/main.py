import multiprocessing as mp
import os
import threading
import time

import zmq


class Archive:
    def __init__(self, name, own, other):
        self.name = name
        self.context = zmq.Context()
        self.desk = self.context.socket(zmq.REP)
        self.desk.bind("ipc://" + own)
        self.other = other
        self.index = threading.Lock()
        self.pages = {}
        self.known = None
        threading.Thread(target=self.attend, name="attendant", daemon=True).start()

    def attend(self):
        while True:
            self.desk.recv()
            with self.index:
                self.desk.send_json(sorted(self.pages))

    def ask_other(self):
        with self.context.socket(zmq.REQ) as line:
            line.connect("ipc://" + self.other)
            line.send(b"index")
            return line.recv_json()

    def admit(self, page):
        if APART:
            self.known = self.ask_other()
        with self.index:
            self.pages[page] = self.name
            if not APART:
                self.known = self.ask_other()


def keep(name, own, other, start, done):
    archive = Archive(name, own, other)
    done.put(name)
    page = 0
    while True:
        start.wait()
        archive.admit(page)
        done.put(name)
        page = (page + 1) % 50


def rounds(start, done):
    while True:
        for _ in range(2):
            done.get()
        start.wait()
        time.sleep(0.05)


APART = False


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    base = "/tmp/archive-%d" % os.getpid()
    start, done = spawn.Barrier(3), spawn.Queue()
    for name, own, other in (("east", "-e", "-w"), ("west", "-w", "-e")):
        spawn.Process(
            target=keep, args=(name, base + own, base + other, start, done), name=name, daemon=True
        ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    rounds(start, done)
