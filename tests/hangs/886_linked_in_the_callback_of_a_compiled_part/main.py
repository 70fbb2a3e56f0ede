import os
import time
import zlib
from concurrent.futures import Future
from functools import partial

from torch._inductor.compile_worker.subproc_pool import SubprocPool


def link(pool, linked, compiled):
    part = compiled.result()
    if len(part) > LIMIT:
        part = pool.submit(zlib.compress, part).result()
    linked.set_result(part)


def build(pool, source):
    linked = Future()
    compiled = pool.submit(bytes.upper, source)
    compiled.add_done_callback(partial(link, pool, linked))
    return linked.result()


LIMIT = 64


if __name__ == "__main__":
    pool = SubprocPool(2)
    build(pool, b"warm up")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    kernel = b"for i in range(n): "
    while True:
        build(pool, kernel * (1 + int(time.monotonic()) % 8))
        time.sleep(0.05)
