import multiprocessing
import os
import threading

from dam.office import Office
from dam.sluice import pump, regulate

UNDER_LOCK = False

if __name__ == "__main__":
    fork = multiprocessing.get_context("spawn")
    levels = fork.Array("i", [50, 60, 70])
    strokes = fork.Value("i", 0)
    near, far = fork.Pipe()
    workers = [
        fork.Process(target=regulate, args=(levels, far, UNDER_LOCK), name="sluice", daemon=True),
        fork.Process(target=pump, args=(strokes,), name="pump", daemon=True),
    ]
    for worker in workers:
        worker.start()
    office = Office(levels, near, strokes)
    threading.Thread(target=office.show, name="gauge-board", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office.answer()
