import os
import time

import ray
from ray import serve

ray.init(num_cpus=8, include_dashboard=False, log_to_driver=False)
serve.start(http_options={"location": "NoServer"})


@serve.deployment(num_replicas=3, ray_actor_options={"num_cpus": 2})
class Translator:
    async def __call__(self, text):
        return text[::-1]


def deploy():
    return serve.run(Translator.bind())


print("MARK main pid=%d" % os.getpid(), flush=True)
handle = deploy()
while True:
    handle.remote("a text").result()
    time.sleep(0.01)
