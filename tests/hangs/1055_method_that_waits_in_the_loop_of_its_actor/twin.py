import asyncio
import os
import threading
import time

import ray


@ray.remote
class Engine:
    def __init__(self):
        self.loaded = threading.Event()
        self.name = None

    async def load(self, name):
        await asyncio.sleep(0.05)
        self.name = name
        self.loaded.set()
        return name

    def generate(self, prompt):
        self.loaded.wait()
        return f"{self.name}: {prompt[::-1]}"


def answer(name, prompt):
    engine = Engine.remote()
    if LOAD_FIRST:
        ray.get(engine.load.remote(name))
    text = engine.generate.remote(prompt)
    loading = engine.load.remote(name)
    words = ray.get(text)
    ray.get(loading)
    ray.kill(engine)
    return words


LOAD_FIRST = True


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        print(answer("base", "good morning"), flush=True)
        time.sleep(0.2)
