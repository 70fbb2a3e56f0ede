import os
import socket
import time

os.environ.update(VLLM_LOGGING_LEVEL="ERROR", VLLM_NO_USAGE_STATS="1")
import torch.multiprocessing as mp
from vllm.distributed.utils import StatelessProcessGroup


def publish(group, version):
    if version % EVERY == 0:
        group.broadcast_obj({"version": version}, 0)
    group.barrier(timeout=86400)


def take_weights(group):
    return group.broadcast_obj(None, 0)


def roll_out(port):
    group = StatelessProcessGroup.create("127.0.0.1", port, 1, 2, store_timeout=86400)
    while True:
        take_weights(group)
        group.barrier(timeout=86400)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


EVERY = 4


if __name__ == "__main__":
    port = free_port()
    context = mp.get_context("spawn")
    context.Process(target=roll_out, args=(port,), name="rollout", daemon=True).start()
    group = StatelessProcessGroup.create("127.0.0.1", port, 0, 2, store_timeout=86400)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    version = 0
    while True:
        publish(group, version)
        version += 1
        time.sleep(0.05)
