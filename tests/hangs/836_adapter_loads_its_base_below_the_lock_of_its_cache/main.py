import os
import time

import ray
from ray import serve


@serve.deployment
class Translator:
    @serve.multiplexed(max_num_models_per_replica=4)
    async def get_model(self, name):
        base, _, adapter = name.partition("+")
        if adapter:
            return await self.adapt(base, adapter)
        return {"weights": len(name)}

    async def adapt(self, base, adapter):
        model = await self.get_model(base) if NESTED else {"weights": len(base)}
        return {**model, "adapter": adapter}

    async def __call__(self, text):
        model = await self.get_model(serve.get_multiplexed_model_id())
        return len(text) * model["weights"]


NESTED = True


def translate(handle, text):
    return handle.options(multiplexed_model_id="base+legal").remote(text).result()


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"location": "NoServer"})
    print("MARK main pid=%d" % os.getpid(), flush=True)
    handle = serve.run(Translator.bind())
    while True:
        translate(handle, "word")
        time.sleep(0.1)
