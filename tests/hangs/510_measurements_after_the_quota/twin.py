import os
import signal
import tempfile

from training import Training

signal.alarm(120)


def train(folder, rounds):
    training = Training(folder)
    for number in range(rounds):
        training.step(number)
    training.finish()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            train(folder, 300)
