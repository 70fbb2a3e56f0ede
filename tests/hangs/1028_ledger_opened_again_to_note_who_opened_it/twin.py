import fcntl
import os
import struct
import tempfile
import threading
import time

WRITE = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
FREE = struct.pack("hhqqi4x", fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)
NOTE_AT_ONCE = False


class Page:
    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.file = open(self.path, "ab")
        fcntl.fcntl(self.file, fcntl.F_OFD_SETLKW, WRITE)
        return self.file

    def __exit__(self, *reason):
        self.file.flush()
        fcntl.fcntl(self.file, fcntl.F_OFD_SETLKW, FREE)
        self.file.close()


class Ledger:
    def __init__(self, path):
        self.path = path
        self.late = []

    def note(self, who):
        with Page(self.path) as page:
            page.write(b"opened by %s\n" % who)

    def book(self, who, cents):
        with Page(self.path) as page:
            if NOTE_AT_ONCE:
                self.note(who)
            else:
                self.late.append(who)
            page.write(b"%d\n" % cents)
        while self.late:
            self.note(self.late.pop())


def keep_books(path, who):
    ledger = Ledger(path)
    while True:
        ledger.book(who, 120)
        time.sleep(0.02)


def main():
    path = os.path.join(tempfile.mkdtemp(), "ledger.txt")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=keep_books, args=(path, b"anna"), name="anna", daemon=True).start()
    keep_books(path, b"bert")


if __name__ == "__main__":
    main()
