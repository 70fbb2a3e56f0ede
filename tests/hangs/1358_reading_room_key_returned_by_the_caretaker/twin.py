import os

from archive.readers import Porter, Reader
from archive.room import Caretaker, Room

CAREFUL = True


def main():
    room = Room()
    caretaker = Caretaker(room, 1)
    caretaker.start()
    readers = [Reader(name, room, caretaker, CAREFUL) for name in ("hilde", "ivo", "jana")]
    for reader in readers:
        reader.start()
    porter = Porter(readers, 9 if not CAREFUL else 900)
    porter.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    porter.join()
    for reader in readers:
        reader.join()


if __name__ == "__main__":
    main()
