import os
import time

import ray

ray.init(num_cpus=5, include_dashboard=False, log_to_driver=False)
ray.data.DataContext.get_current().enable_progress_bars = False


@ray.remote(num_cpus=1)
class Trainer:
    def __init__(self, shard):
        self.shard = shard

    def train(self, epochs):
        return sum(self.train_epoch() for _ in range(epochs))

    def train_epoch(self):
        return sum(len(batch["id"]) for batch in self.shard.iter_batches(batch_size=50))


def train_all(trainers, epochs):
    running = [trainer.train.remote(count) for trainer, count in zip(trainers, epochs)]
    return ray.get(running)


shards = ray.data.range(400, override_num_blocks=4).streaming_split(2, equal=True)
trainers = [Trainer.remote(shard) for shard in shards]
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    train_all(trainers, (2, 2))
    time.sleep(0.05)
