import os
import signal
import tempfile

from library import Library

signal.alarm(120)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        library = Library(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        library.open()
