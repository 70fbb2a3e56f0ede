import os
import time

import ray


@ray.remote
class Table:
    def __init__(self):
        self.read = 0

    def rows(self):
        for number in range(20):
            self.read += 1
            yield "row %d" % number

    def flush(self):
        read, self.read = self.read, 0
        return read


def copy_table(table):
    copied = []
    stream = table.rows.options(_generator_backpressure_num_objects=4).remote()
    for row in stream:
        copied.append(ray.get(row))
        if len(copied) == BATCH:
            ray.get(table.flush.remote())
    return copied


BATCH = 20


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    table = Table.remote()
    ray.get(table.flush.remote())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        copy_table(table)
        time.sleep(0.05)
