import multiprocessing as mp
import os
import time

import zmq


def answer_letters(address, notes):
    desk = zmq.Context().socket(zmq.REP)
    desk.bind("ipc://" + address)
    notes.put("open")
    count = 0
    while True:
        letter = desk.recv_json()
        count += 1
        desk.send_json({"of": letter["of"], "count": count})


class Sender:
    def __init__(self, address):
        self.line = zmq.Context().socket(zmq.DEALER)
        self.line.connect("ipc://" + address)

    def write(self, letter):
        if COVERED:
            self.line.send(b"", zmq.SNDMORE)
        self.line.send_json(letter)

    def ask(self, number):
        self.write({"of": number})
        return self.line.recv_multipart()[-1]


def post(address, orders, answers):
    sender = Sender(address)
    while True:
        answers.put(sender.ask(orders.get()))


def day(orders, answers):
    number = 0
    while True:
        orders.put(number)
        answers.get()
        number += 1
        time.sleep(0.05)


COVERED = False


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    address = "/tmp/letters-%d" % os.getpid()
    notes, orders, answers = spawn.Queue(), spawn.Queue(), spawn.Queue()
    spawn.Process(target=answer_letters, args=(address, notes), name="office", daemon=True).start()
    notes.get()
    spawn.Process(target=post, args=(address, orders, answers), name="post", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day(orders, answers)
