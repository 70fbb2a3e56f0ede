"""ranks_like.py MODE: two ranks of a job, the first of which waits for the second.

"away": it sends to that one, which waits for a command; "joint": it receives from that one, which
is in an operation of all ranks; "ended": it is in an operation of all ranks, and that one is at the
end of its program but for a thread; "saves": a thread of its is, for which its main thread waits,
and that one waits for a command; "awaits": so it is, and a task of its event loop awaits that.
"""

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from torch.distributed.distributed_c10d import all_reduce, init_process_group, recv, send


def train(mode):
    init_process_group(0, 2)
    if mode == "away":
        send([1.0], dst=1)
    elif mode == "joint":
        recv([1.0], src=1)
    elif mode == "saves":
        ThreadPoolExecutor(1, "saver").submit(all_reduce, [1.0]).result()
    elif mode == "awaits":
        asyncio.run(reduce())
    else:
        all_reduce([1.0])


async def reduce():
    await asyncio.get_running_loop().run_in_executor(None, all_reduce, [1.0])


def export():
    subprocess.run(["sleep", "100"])


def other(mode):
    init_process_group(1, 2)
    if mode in ("away", "saves", "awaits"):
        export()
    elif mode == "joint":
        all_reduce([1.0])
    else:
        threading.Thread(target=export, name="exporter").start()


def launch(mode):
    first = os.fork()
    if first == 0:
        return train(mode)
    second = os.fork()
    if second == 0:
        return other(mode)
    ready()
    os.waitpid(first, 0)


launch(sys.argv[1])
