import multiprocessing as mp
import os
import time

import zmq


class Singer:
    def __init__(self, name, base, waves):
        context = zmq.Context()
        self.ear = context.socket(zmq.SUB)
        self.ear.connect("ipc://%s-out" % base)
        for wave in waves:
            self.ear.setsockopt(zmq.SUBSCRIBE, wave)
        self.voice = context.socket(zmq.PUSH)
        self.voice.connect("ipc://%s-in" % base)
        self.name = name

    def hear(self):
        _wave, tune = self.ear.recv_multipart()
        return tune

    def sing(self):
        self.voice.send_string("%s is here" % self.name)
        while True:
            tune = self.hear()
            time.sleep(0.01)
            self.voice.send_string("%s sang %d" % (self.name, len(tune)))


def stand(name, base, waves):
    Singer(name, base, waves).sing()


class Conductor:
    def __init__(self, base):
        context = zmq.Context()
        self.out = context.socket(zmq.PUB)
        self.out.bind("ipc://%s-out" % base)
        self.box = context.socket(zmq.PULL)
        self.box.bind("ipc://%s-in" % base)

    def gather(self):
        for _ in range(2):
            self.box.recv_string()

    def rehearse(self, number):
        self.out.send_multipart([b"tune/", b"%d" % number])
        self.gather()


SECOND = b"tune/"


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    base = "/tmp/choir-%d" % os.getpid()
    conductor = Conductor(base)
    for name, wave in (("alto", b"tune/"), ("bass", SECOND)):
        spawn.Process(target=stand, args=(name, base, [wave]), name=name, daemon=True).start()
    conductor.gather()
    time.sleep(1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        conductor.rehearse(number)
        number += 1
        time.sleep(0.1)
