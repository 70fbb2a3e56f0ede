import os
import queue
import threading
import time

import sympy

HARD = "9**9*9"


class Calculator(threading.Thread):
    def __init__(self):
        super().__init__(name="calculator", daemon=True)
        self.questions = queue.Queue()
        self.answers = {}

    def evaluate(self, words):
        return sympy.sympify(words).is_even

    def run(self):
        while True:
            person, words = self.questions.get()
            self.answers[person] = self.evaluate(words)


class Bot:
    def __init__(self):
        self.calculator = Calculator()
        self.calculator.start()
        self.said = 0

    def ask(self, person, words):
        self.calculator.questions.put((person, words))

    def announce(self):
        for person in list(self.calculator.answers):
            self.calculator.answers.pop(person)
            self.said += 1
        time.sleep(0.05)


def chat():
    bot = Bot()
    number = 0
    while True:
        number += 1
        bot.ask("ann", "2*%d + 1" % number)
        if number % 20 == 0:
            bot.ask("bob", HARD)
        bot.announce()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    chat()
