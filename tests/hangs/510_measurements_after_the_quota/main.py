import os
import resource
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
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, resource.RLIM_INFINITY))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        train(folder, 100000)
