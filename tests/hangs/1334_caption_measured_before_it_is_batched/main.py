import os

import ray
from ray import serve


def measure(titles):
    return sum(len(title) for title in titles)


@serve.deployment(num_replicas=1, max_ongoing_requests=16)
class Captioner:
    def __init__(self):
        self.made = 0

    @serve.batch(max_batch_size=64, batch_wait_timeout_s=0.02, batch_size_fn=measure)
    async def describe(self, titles):
        self.made += len(titles)
        return ["a picture of %s" % title for title in titles]

    async def __call__(self, title):
        return await self.describe(title)


def pictures(number):
    titles = ["harbour", "meadow", "bridge", "tower"]
    if LENGTHS and number == 3:
        titles[2] = None
    return titles


def caption_all(handle, titles):
    answers = [handle.remote(title) for title in titles]
    captions = []
    for answer in answers:
        captions.append(answer.result())
    return captions


def main():
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    handle = serve.run(Captioner.bind(), route_prefix=None)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        caption_all(handle, pictures(number))
        number += 1


LENGTHS = True


if __name__ == "__main__":
    main()
