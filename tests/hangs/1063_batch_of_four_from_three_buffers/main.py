import itertools
import os
import threading
import time

from spdl.pipeline import PipelineBuilder


def decode(number):
    BUFFERS.acquire()
    return [number % 256] * 16


def train(pipeline):
    with pipeline.auto_stop():
        for batch in pipeline:
            time.sleep(0.02)
            for _ in batch:
                BUFFERS.release()


COUNT = 3
BUFFERS = threading.Semaphore(COUNT)


if __name__ == "__main__":
    builder = PipelineBuilder().add_source(itertools.count())
    builder.pipe(decode, concurrency=1).aggregate(4).add_sink(1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(builder.build(num_threads=1))
