import os
import time

os.environ.update(VLLM_LOGGING_LEVEL="ERROR", VLLM_NO_USAGE_STATS="1")
import torch.multiprocessing as mp
from vllm.distributed.device_communicators.shm_broadcast import MessageQueue

STAGES = ["first_layers", "last_layers"]


def follow(handle, rank):
    ring = MessageQueue.create_from_handle(handle, rank)
    ring.wait_until_ready()
    while True:
        ring.dequeue(indefinite=True)


def open_ring(stages):
    ring = MessageQueue(READERS, READERS, max_chunk_bytes=4096, max_chunks=4)
    handle = ring.export_handle()
    context = mp.get_context("spawn")
    for rank, stage in enumerate(stages):
        context.Process(target=follow, args=(handle, rank), name=stage, daemon=True).start()
    ring.wait_until_ready()
    return ring


READERS = 2


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ring = open_ring(STAGES)
    step = 0
    while True:
        ring.enqueue(("step", step))
        step += 1
        time.sleep(0.05)
