import os
import time

import ray


@ray.remote(num_cpus=0, max_concurrency=4)
class Registry:
    def __init__(self):
        self.names = ["north"]
        if ASKS:
            register(ray.get_runtime_context().current_actor)

    def add(self, name):
        self.names.append(name)
        return len(self.names)


def register(registry):
    return ray.get(registry.add.remote("south"))


def open_shop():
    registry = Registry.remote()
    return ray.get(registry.add.remote("west"))


ASKS = False


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        open_shop()
        time.sleep(0.2)
