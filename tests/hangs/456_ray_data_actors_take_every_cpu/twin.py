import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
ray.data.DataContext.get_current().enable_progress_bars = False


class Embedder:
    def __call__(self, batch):
        time.sleep(0.01)
        return {"length": [len(str(one)) for one in batch["id"]]}


def embed_all(rows):
    documents = ray.data.range(rows, override_num_blocks=4)
    embedded = documents.map_batches(Embedder, concurrency=2, num_cpus=1, batch_size=16)
    return embedded.materialize().count()


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    embed_all(20000)
