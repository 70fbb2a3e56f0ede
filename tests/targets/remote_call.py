"""remote_call.py TIMEOUT: a thread waits for a function that another worker is to run.

With "through" it waits until the calls of all workers are through; with "owner" the worker is named
by an object of C++.
"""

import ctypes
import os
import sys

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from torch.distributed.rpc import api
from torch.distributed.rpc.api import rpc_sync


def forward(batch):
    return batch


ready()
if sys.argv[1] == "through":
    api._all_gather()
if sys.argv[1] == "owner":
    name = ctypes.create_string_buffer(b"stage1")
    rpc_sync(api.WorkerInfo(name), forward, args=(1,), timeout=0)
timeout = float(sys.argv[1]) if "." in sys.argv[1] else int(sys.argv[1])
rpc_sync("stage1", forward, args=(1,), timeout=timeout)
