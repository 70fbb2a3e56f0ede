import os
import tempfile
import threading

from archive.doorbook import Doorbook
from archive.rooms import Librarian, Reader

PAGES_CHANGE = False

if __name__ == "__main__":
    house = tempfile.mkdtemp(prefix="archive")
    librarian = Librarian(house)
    librarian.fill(6)
    doorbook = Doorbook(house, 40 if PAGES_CHANGE else None)
    readers = [Reader(house, "reader-%d" % n) for n in range(3)]
    doorbook.lay_out()
    for reader in readers:
        reader.start()
    threading.Thread(target=librarian.stroll, name="librarian", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for reader in readers:
        reader.join()
