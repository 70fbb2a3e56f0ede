import os
import time

import ray
from ray import serve

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@serve.deployment(max_ongoing_requests=1)
class Desk:
    def __init__(self):
        self.clerk = None

    async def __call__(self, words):
        if self.clerk is None:
            self.clerk = serve.get_deployment_handle("Clerk", "office")
        return await self.clerk.remote(words)


@serve.deployment(max_ongoing_requests=1)
class Clerk:
    def __init__(self, desk):
        self.desk = desk

    async def __call__(self, words):
        if len(words) > LONGEST:
            halves = words[: len(words) // 2], words[len(words) // 2 :]
            return [await self.desk.remote(half) for half in halves]
        return [words.upper()]


def ask_all(desk):
    return [desk.remote(words).result() for words in ("short", "a question of more words")]


LONGEST = 10


if __name__ == "__main__":
    serve.run(Clerk.bind(Desk.bind()), name="office", route_prefix=None)
    desk = serve.get_deployment_handle("Desk", "office")
    desk.remote("hello").result()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        ask_all(desk)
        time.sleep(0.05)
