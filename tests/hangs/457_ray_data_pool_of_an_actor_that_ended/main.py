import os
import sys
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
context = ray.data.DataContext.get_current()
context.enable_progress_bars = False
context.max_errored_blocks = -1
BROKEN = 700


class Scorer:
    def __call__(self, batch):
        time.sleep(0.05)
        if BROKEN in batch["id"]:
            sys.exit(0)
        return batch


def score_all(rows):
    documents = ray.data.range(rows, override_num_blocks=20)
    pool = ray.data.ActorPoolStrategy(size=1)
    return documents.map_batches(Scorer, compute=pool, batch_size=50).materialize()


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    score_all(2000)
