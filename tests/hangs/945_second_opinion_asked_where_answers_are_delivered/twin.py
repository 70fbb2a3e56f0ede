import os
import queue
import threading
import time

import torch
from torch.futures import Future


def ask(value):
    answer = Future()
    QUESTIONS.put((value, answer))
    return answer


def compute():
    while True:
        value, answer = QUESTIONS.get()
        ANSWERS.put((torch.tensor(float(value)).sqrt(), answer))


def deliver():
    while True:
        value, answer = ANSWERS.get()
        answer.set_result(value)


def refine(answer):
    value = answer.value()
    if float(value) > SURE:
        value = ask(value).wait()
    return value


def solve(value):
    return ask(value).then(refine).wait()


QUESTIONS, ANSWERS = queue.Queue(), queue.Queue()
SURE = 50.0


if __name__ == "__main__":
    threading.Thread(target=compute, name="solver", daemon=True).start()
    threading.Thread(target=deliver, name="answers", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        solve(number % 50)
        number += 1
        time.sleep(0.02)
