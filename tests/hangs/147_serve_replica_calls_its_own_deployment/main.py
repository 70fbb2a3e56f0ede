import os

import ray
from ray import serve

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
serve.start(http_options={"location": "NoServer"})


@serve.deployment(max_ongoing_requests=1)
class Summarizer:
    async def __call__(self, text):
        if len(text) > 10:
            own = serve.get_deployment_handle("Summarizer", "default")
            return await own.remote(text[:10])
        return text


handle = serve.run(Summarizer.bind())
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    handle.remote("a long text that is taken apart").result()
