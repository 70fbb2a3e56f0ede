import os
import threading
from concurrent.futures import ThreadPoolExecutor

from lake.boats import Boat
from lake.regatta import Regatta, Shore

if __name__ == "__main__":
    sails = {"Alke": 3, "Bris": 2, "Dohle": 4, "Erle": 1, "Fink": 2}
    with ThreadPoolExecutor(6, thread_name_prefix="crew") as crews:
        shore = Shore()
        threading.Thread(target=shore.watch, name="shore", daemon=True).start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            regatta = Regatta(5)
            for name in ("Alke", "Bris", "Cygne", "Dohle", "Erle"):
                crews.submit(Boat(name, sails, regatta).prepare)
            regatta.start()
            shore.races += 1
