import os
from concurrent.futures import ThreadPoolExecutor

import ray
from ray import serve


@serve.deployment(max_ongoing_requests=8)
class Scorer:
    @serve.batch(max_batch_size=4, batch_wait_timeout_s=86400)
    async def score_batch(self, rows):
        return [len(row) for row in rows]

    async def __call__(self, row):
        return await self.score_batch(row)


def score(handle, row):
    return handle.remote(row).result()


def score_all(handle):
    with ThreadPoolExecutor(8, thread_name_prefix="clerk") as pool:
        return list(pool.map(lambda row: score(handle, row), ["chair", "lamp", "desk", "bed"]))


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"location": "NoServer"})
    handle = serve.run(Scorer.bind())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        score_all(handle)


if __name__ == "__main__":
    main()
