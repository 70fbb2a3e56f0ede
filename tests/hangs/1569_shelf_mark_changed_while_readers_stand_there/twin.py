import os
import threading

from wsgidav.rw_lock import ReadWriteLock

from reading.hall import Desk, Hall, Loans, Members

if __name__ == "__main__":
    shelves = ReadWriteLock()
    members = Members()
    loans = Loans(shelves, members)
    desk = Desk(shelves, members, inside=False)
    hall = Hall(shelves)
    threads = [
        threading.Thread(target=loans.work, name="counter", daemon=True),
        threading.Thread(target=desk.work, name="desk", daemon=True),
        threading.Thread(target=hall.work, name="hall", daemon=True),
        threading.Thread(target=hall.clock, name="clock", daemon=True),
    ]
    for thread in threads:
        thread.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for thread in threads:
        thread.join()
