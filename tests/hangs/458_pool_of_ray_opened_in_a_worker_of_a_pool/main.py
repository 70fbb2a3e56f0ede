import os

import ray
from ray.util.multiprocessing import Pool

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)


def parse(line):
    return len(line)


def import_file(name):
    with Pool(1, ray_remote_args={"num_cpus": 1}) as pool:
        return sum(pool.map(parse, [name] * 10))


def import_all(names):
    with Pool(2, ray_remote_args={"num_cpus": 1}) as pool:
        return pool.map(import_file, names)


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    import_all(["north", "south"])
