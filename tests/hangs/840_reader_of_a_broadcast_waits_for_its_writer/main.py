import os
import time

os.environ.update(VLLM_LOGGING_LEVEL="ERROR", VLLM_NO_USAGE_STATS="1")
import torch.multiprocessing as mp
from vllm.distributed.device_communicators.shm_broadcast import MessageQueue


def follow(handle):
    weights = MessageQueue.create_from_handle(handle, 0)
    weights.wait_until_ready()
    while True:
        weights.dequeue(indefinite=True)


def archive(handle, approved):
    weights = MessageQueue.create_from_handle(handle, 1)
    weights.wait_until_ready()
    while True:
        version, part = weights.dequeue(indefinite=True)
        if part == 0:
            approve(version, approved)


def approve(version, approved):
    while approved.get() != version:
        pass


def publish(weights, version, approved):
    if EARLY:
        approved.put(version)
    for part in range(8):
        weights.enqueue((version, part))
    if not EARLY:
        approved.put(version)


EARLY = False


def main():
    weights = MessageQueue(2, 2, max_chunk_bytes=4096, max_chunks=4)
    approved = mp.get_context("spawn").Queue()
    handle = weights.export_handle()
    context = mp.get_context("spawn")
    context.Process(target=follow, args=(handle,), name="follower", daemon=True).start()
    context.Process(target=archive, args=(handle, approved), name="archivist", daemon=True).start()
    weights.wait_until_ready()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    version = 0
    while True:
        publish(weights, version, approved)
        version += 1
        time.sleep(0.05)


if __name__ == "__main__":
    main()
