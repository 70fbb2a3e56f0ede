import multiprocessing
import os
import threading

from prwlock import RWLock

from survey.office import Office
from survey.scout import Scout

if __name__ == "__main__":
    lock = RWLock()
    ink = multiprocessing.Queue()
    office = Office(lock, ink, first=True)
    child = multiprocessing.Process(target=Scout(lock, ink).work, name="scout", daemon=True)
    child.start()
    surveyor = threading.Thread(target=office.work, name="surveyor")
    clock = threading.Thread(target=office.tick, name="clock", daemon=True)
    surveyor.start()
    clock.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    surveyor.join()
