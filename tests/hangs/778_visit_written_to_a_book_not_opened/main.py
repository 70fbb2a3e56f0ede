import os
import signal
import tempfile

from visits import Visit, book, note_visit

signal.alarm(120)


def receive(guests):
    return [note_visit(guest) for guest in guests]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        book.init(os.path.join(folder, "visits.db"))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        book.create_tables([Visit])
        print(receive(["Anna", "Ben"]))
