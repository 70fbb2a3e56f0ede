import os
import queue
import signal
import threading
import time

signal.alarm(120)


class PostOffice:
    def __init__(self, letters):
        self.letters = queue.Queue()
        self.delivered = []
        for letter in letters:
            self.letters.put(letter)

    def put_on_the_cap(self):
        time.sleep(0.05)

    def deliver(self):
        while True:
            self.put_on_the_cap()
            try:
                letter = self.letters.get_nowait()
            except queue.Empty:
                return
            self.delivered.append(letter)


def deliver_all(letters, postmen):
    office = PostOffice(letters)
    walks = [
        threading.Thread(target=office.deliver, name="postman-%d" % number)
        for number in range(postmen)
    ]
    for walk in walks:
        walk.start()
    for walk in walks:
        walk.join()
    return office.delivered


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        deliver_all(["letter %d" % number for number in range(7)], 2)
