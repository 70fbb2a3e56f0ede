import datetime
import os
import time

import ray
import torch
import torch.distributed as dist

PATIENCE = datetime.timedelta(hours=2)


def meet(store, version, rank):
    part = dist.PrefixStore("weights-%d" % version, store)
    return dist.ProcessGroupGloo(part, rank, 3, PATIENCE)


@ray.remote(num_cpus=0)
class Engine:
    def __init__(self, rank):
        self.rank = rank
        self.groups = {}
        self.weights = torch.zeros(64)

    def join_group(self, stage, port, version):
        store = dist.TCPStore("127.0.0.1", port, is_master=False, timeout=PATIENCE)
        self.groups[stage] = meet(store, version, self.rank)
        return self.rank

    def receive(self, stage):
        self.groups[stage].broadcast(self.weights, 0).wait()

    def leave_group(self, stage):
        self.groups.pop(stage, None)


@ray.remote(num_cpus=0)
class Trainer:
    def __init__(self, stage, engines):
        self.stage = stage
        self.engines = engines
        self.store = dist.TCPStore(
            "127.0.0.1", 0, is_master=True, wait_for_workers=False, timeout=PATIENCE
        )

    def open_group(self, version):
        joining = []
        for engine in self.engines:
            joining.append(engine.join_group.remote(self.stage, self.store.port, version))
            if STAGGERED:
                time.sleep(1.0)
        group = meet(self.store, version, 0)
        ray.get(joining)
        return group

    def push_weights(self, version):
        group = self.open_group(version)
        received = [engine.receive.remote(self.stage) for engine in self.engines]
        group.broadcast(torch.full((64,), float(version)), 0).wait()
        ray.get(received)
        ray.get([engine.leave_group.remote(self.stage) for engine in self.engines])
        return version


def update_all(trainers, version):
    if not STAGGERED:
        return [ray.get(trainer.push_weights.remote(version)) for trainer in trainers]
    return ray.get([trainer.push_weights.remote(version) for trainer in trainers])


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    engines = [Engine.remote(1 + number) for number in range(2)]
    ray.get([engine.leave_group.remote(0) for engine in engines])
    trainers = [Trainer.remote(0, engines), Trainer.remote(1, engines[::-1])]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    version = 0
    while True:
        update_all(trainers, version)
        version += 1


STAGGERED = True


if __name__ == "__main__":
    main()
