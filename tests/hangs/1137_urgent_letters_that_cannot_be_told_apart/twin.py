import os
import queue
import threading
import time

URGENT = 4


class Letter:
    def __init__(self, number, weight):
        self.number = number
        self.weight = weight
        self.sent = False


class Postman:
    def __init__(self, letters):
        self.letters = letters
        self.sent = 0
        self.thread = threading.Thread(target=self.run_round, name="postman", daemon=True)

    def deliver(self, letter):
        time.sleep(0.02)
        letter.sent = True
        self.sent += 1

    def run_round(self):
        while True:
            _, letter = self.letters.get()
            self.deliver(letter)
            self.letters.task_done()


class Office:
    def __init__(self):
        self.letters = queue.PriorityQueue()
        self.postman = Postman(self.letters)
        self.postman.thread.start()
        self.number = 0

    def accept(self, priority):
        self.number += 1
        self.letters.put((priority, Letter(self.number, self.number % 50)))

    def finish_day(self):
        self.letters.join()


def run():
    office = Office()
    while True:
        for day in range(3):
            office.accept(0)
            office.finish_day()
        office.letters.put((-1, Letter(0, 0)))
        office.accept(URGENT)
        office.accept(1 if URGENT == 1 else 2)
        office.accept(2 if URGENT == 1 else 3)
        office.finish_day()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    time.sleep(1)
    run()
