import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote
class Reader:
    def rows(self, table):
        for number in range(40):
            yield "%s-%d" % (table, number)


def open_table(reader, table):
    return reader.rows.options(_generator_backpressure_num_objects=4).remote(table)


def join_tables(left, right):
    joined = []
    for one, other in zip(left, right):
        joined.append((ray.get(one), ray.get(other)))
    return joined


readers = [Reader.remote(), Reader.remote()]
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    join_tables(open_table(readers[0], "orders"), open_table(readers[1], "items"))
    time.sleep(0.05)
