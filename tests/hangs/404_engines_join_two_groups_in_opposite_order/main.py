import os
import socket
import time
from datetime import timedelta

import ray
import torch.distributed as dist

ray.init(num_cpus=6, include_dashboard=False, log_to_driver=False)
MINUTES = timedelta(minutes=30)


def join(name, port, rank):
    store = dist.TCPStore("127.0.0.1", port, 3, rank == 0, MINUTES, wait_for_workers=False)
    return dist.ProcessGroupGloo(dist.PrefixStore(name, store), rank, 3, MINUTES)


@ray.remote
class RolloutEngine:
    def __init__(self):
        self.groups = {}

    def update_weights_group(self, name, port, rank):
        self.groups[name] = join(name, port, rank)


@ray.remote
class PipelineStage:
    def __init__(self):
        self.groups = {}

    def connect(self, name, engines, port):
        joined = []
        for rank, engine in enumerate(engines, 1):
            joined.append(engine.update_weights_group.remote(name, port, rank))
            time.sleep(0.5)
        self.groups[name] = join(name, port, 0)
        ray.get(joined)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def connect_stages(stages, engines):
    calls = []
    for i, stage in enumerate(stages):
        ordered = engines if i == 0 else engines[::-1]
        calls.append(stage.connect.remote(f"stage-{i}", ordered, free_port()))
    ray.get(calls)


engines = [RolloutEngine.remote() for _ in range(2)]
stages = [PipelineStage.remote() for _ in range(2)]
ray.get([actor.__ray_ready__.remote() for actor in engines + stages])
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    connect_stages(stages, engines)
    time.sleep(0.1)
