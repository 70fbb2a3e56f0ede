import collections
import multiprocessing
import os
import threading
import time


class Pictures:
    def __init__(self, room):
        self.room = room
        self.kept = collections.OrderedDict()
        self.arrived = threading.Condition()

    def put(self, name, picture):
        with self.arrived:
            self.kept[name] = picture
            while len(self.kept) > self.room:
                self.kept.popitem(last=False)
            self.arrived.notify_all()

    def find(self, name):
        with self.arrived:
            self.arrived.wait_for(lambda: name in self.kept)
            self.kept.move_to_end(name)
            return self.kept[name]


def take_in(pictures, uploads):
    while True:
        name, picture = uploads.recv()
        pictures.put(name, picture)


def encode(questions, uploads):
    pictures = Pictures(KEPT)
    intake = threading.Thread(target=take_in, args=(pictures, uploads), name="intake", daemon=True)
    intake.start()
    while True:
        name = questions.recv()
        questions.send(sum(pictures.find(name)) % 97)


class Front:
    def __init__(self, questions, uploads):
        self.questions = questions
        self.uploads = uploads
        self.sent = Pictures(6)

    def describe(self, name, picture):
        if name not in self.sent.kept:
            self.uploads.send((name, picture))
        self.sent.put(name, picture)
        self.questions.send(name)
        return self.questions.recv()


def main():
    questions, their_questions = multiprocessing.Pipe()
    uploads, their_uploads = multiprocessing.Pipe()
    encoder = multiprocessing.Process(
        target=encode, args=(their_questions, their_uploads), name="encoder", daemon=True
    )
    encoder.start()
    front = Front(questions, uploads)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number in range(10**9):
        front.describe("picture-%d" % (number % 5), bytes([number % 5] * 64))
        time.sleep(0.01)


KEPT = 3


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
