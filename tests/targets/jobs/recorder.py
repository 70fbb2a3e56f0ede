"""What torch's flight recorder has of a rank, written as its watchdog would on a timeout."""

import os
import threading

import torch

AFTER_S = 8.0


def leave_record(rank):
    """In a while, from a thread of its own; nothing unless RECORDS names a folder."""
    folder = os.environ.get("RECORDS")
    if not folder:
        return

    def write():
        torch._C._distributed_c10d._dump_fr_trace()  # the first one takes seconds to name its lines
        data = torch._C._distributed_c10d._dump_fr_trace()
        path = os.path.join(folder, "trace_rank_%d" % rank)
        with open(path + ".part", "wb") as file:
            file.write(data)
        os.rename(path + ".part", path)

    timer = threading.Timer(AFTER_S, write)
    timer.daemon = True
    timer.start()
