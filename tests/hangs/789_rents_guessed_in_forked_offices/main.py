import multiprocessing
import os
import signal

from rents import guess_from_text, train

signal.alarm(120)


def guess_all(towns):
    text = train().model_to_string()
    with multiprocessing.get_context("fork").Pool(2) as offices:
        return offices.starmap(guess_from_text, [(text, rooms) for rooms in towns])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(guess_all([3000, 5000]))
