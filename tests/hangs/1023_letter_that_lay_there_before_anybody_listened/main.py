import os
import subprocess
import sys
import tempfile
import time

from inotify.adapters import Inotify

EARLY = True


def deliver(folder, delay):
    time.sleep(delay)
    with open(os.path.join(folder, "letter.txt"), "w") as file:
        file.write("dear friend")


class Hall:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.read = 0

    def order(self):
        delay = "0" if EARLY else "0.5"
        self.postman = subprocess.Popen([sys.executable, __file__, self.folder, delay])
        if EARLY:
            self.postman.wait()

    def listen(self):
        return Inotify()

    def next_letter(self, watch):
        for _, kinds, folder, name in watch.event_gen(yield_nones=False):
            if "IN_CLOSE_WRITE" in kinds:
                return os.path.join(folder, name)

    def take_letter(self):
        watch = self.listen()
        self.order()
        watch.add_watch(self.folder)
        letter = self.next_letter(watch)
        os.remove(letter)
        self.read += 1
        self.postman.wait()


def main():
    hall = Hall()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        hall.take_letter()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        deliver(sys.argv[1], float(sys.argv[2]))
    else:
        main()
