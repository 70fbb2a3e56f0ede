import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard


class Speaker(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Linear(16, 16)
        self.head = torch.nn.Linear(16, 16)

    def forward(self, state):
        return self.head(torch.tanh(self.words(state)))


def shard(model):
    for part in (model.words, model.head, model):
        fully_shard(part)
    return model


@torch.no_grad()
def generate(model, state, limit):
    told = []
    while len(told) < limit:
        state = model(state)
        told.append(int(state.argmax()))
    return told


def gather_stories(story, tellers):
    stories = [None] * dist.get_world_size()
    dist.all_gather_object(stories, story, group=tellers)
    return stories


def tell(model, tellers, step):
    limit = LIMITS[dist.get_rank()] if step % 10 == 9 else 8
    return gather_stories(generate(model, torch.rand(1, 16), limit), tellers)


LIMITS = (5, 8)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    model = shard(Speaker())
    tellers = dist.new_group()
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    step = 0
    while True:
        tell(model, tellers, step)
        step += 1
        time.sleep(0.01)
