"""rank_like.py MODE: a process that takes part in a job.

"member": in a process group; "joining": it waits in the call that joins one; "told": by its own
os.environ; "alone": in a group of one; "none": not at all; "sends", "receives", "takes": it waits
until a message is through; "awaits", "gets": until somebody sets keys of the store.
"""

import os
import sys
import time

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from torch.distributed.distributed_c10d import (
    TCPStore,
    init_process_group,
    recv,
    recv_object_list,
    send,
)

mode = sys.argv[1]
if mode != "none":
    os.environ.update(LOCAL_RANK="1", RANK="3" if mode != "member" else "5", WORLD_SIZE="8")
if mode == "member":
    init_process_group(5, 6)
elif mode == "alone":
    init_process_group(0, 1)
ready()
if mode == "joining":
    init_process_group(2, 4, waits=True)
elif mode == "sends":
    send([1.0], dst=1, tag=7)
elif mode == "receives":
    recv([1.0])
elif mode == "takes":
    recv_object_list([None], src=2)
elif mode == "awaits":
    TCPStore().wait(["epoch/1", "epoch/2"])
elif mode == "gets":
    print(TCPStore, TCPStore().get("prices"))
else:
    time.sleep(100)
