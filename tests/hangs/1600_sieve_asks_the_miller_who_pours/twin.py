import logging
import os

import ray
import ray.data


@ray.remote
class Miller:
    def __init__(self):
        self.coarse = 3
        self.ground = 0

    def coarseness(self):
        return self.coarse

    def grind(self, sacks):
        for batch in sacks.iter_batches(batch_size=8):
            self.ground += int(batch["id"].sum())
        self.coarse = 2 + self.ground % 3
        return self.ground


def sift(batch, miller):
    coarse = ray.get(miller.coarseness.remote())
    return {"id": batch["id"] // coarse}


def main():
    logging.disable(logging.WARNING)
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    miller = Miller.options(max_concurrency=HANDS).remote()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        sacks = ray.data.range(32, override_num_blocks=2)
        flour = sacks.map_batches(sift, fn_kwargs={"miller": miller})
        ray.get(miller.grind.remote(flour))


HANDS = 2


if __name__ == "__main__":
    main()
