import os
import threading
import time

os.environ["LMCACHE_LOG_LEVEL"] = "ERROR"

import torch
from lmcache.v1.config import LMCacheEngineConfig
from lmcache.v1.memory_allocators.mixed_memory_allocator import MixedMemoryAllocator
from lmcache.v1.storage_backend.local_cpu_backend import LocalCPUBackend

SHAPE = torch.Size([2, 4, 256, 1024])


def open_backend():
    config = LMCacheEngineConfig.from_defaults(local_cpu=False, max_local_cpu_size=0.1)
    return LocalCPUBackend(
        config=config, dst_device="cpu", memory_allocator=MixedMemoryAllocator(64 * 1024 * 1024)
    )


def load_block(backend):
    block = backend.allocate(SHAPE, torch.float32)
    block.tensor.fill_(1.0)
    return block


def prefetch(backend, blocks):
    loaded = [load_block(backend) for _ in range(blocks)]
    for block in loaded:
        block.ref_count_down()


def serve(backend, blocks):
    while True:
        reader = threading.Thread(target=prefetch, args=(backend, blocks), name="prefetch")
        reader.start()
        reader.join()
        time.sleep(0.05)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    serve(open_backend(), 16)
