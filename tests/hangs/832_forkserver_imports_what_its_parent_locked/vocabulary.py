import fcntl
import os


def load():
    with open(os.environ["VOCABULARY"], "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        return len(file.read().split())


WORDS = load()
