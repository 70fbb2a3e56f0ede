"""launched_like.py: who has started three ranks, of which two have ended and were collected."""

import multiprocessing
import os
import signal
import sys
import time

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from torch.multiprocessing.spawn import ProcessContext


def work(rank):
    signal.alarm(100)
    if rank == 0:
        time.sleep(100)
    sys.exit(rank - 1)


fork = multiprocessing.get_context("fork")
processes = [fork.Process(target=work, args=(rank,), daemon=True) for rank in range(3)]
for process in processes:
    process.start()
ProcessContext(processes).join(ready)
