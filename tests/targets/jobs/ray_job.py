"""Eight actors of Ray that load their share; one of them may hang."""

import sys
import time

import odd
import ray

ray.init(address="auto", log_to_driver=False)


@ray.remote(num_cpus=0.5)
class Loader:
    def load(self, number, mode):
        if number == odd.ODD:
            odd.WAYS[mode]()
        time.sleep(0.05)
        return number


actors = [Loader.remote() for _ in range(8)]
while True:
    ray.get([actor.load.remote(number, sys.argv[1]) for number, actor in enumerate(actors)])
