import queue
import threading
import time

from office.services import Register


class Clerk(threading.Thread):
    def __init__(self, number, letters, answered):
        super().__init__(name="clerk-%d" % number, daemon=True)
        self.letters = letters
        self.answered = answered

    def answer(self, letter):
        Register().enter(letter)
        time.sleep(0.01)
        self.answered.put("to " + letter)

    def run(self):
        while True:
            self.answer(self.letters.get())


class Desk:
    def __init__(self, clerks):
        self.letters = queue.Queue()
        self.answered = queue.Queue()
        for number in range(clerks):
            Clerk(number, self.letters, self.answered).start()

    def day(self):
        number = 0
        while True:
            self.letters.put("letter %d" % number)
            self.answered.get()
            number += 1
