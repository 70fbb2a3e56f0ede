import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist


def pass_on(edge):
    rank, world = dist.get_rank(), dist.get_world_size()
    after, before = (rank + 1) % world, (rank - 1) % world
    received = torch.empty_like(edge)
    if IN_TURN and rank % world == 0:
        dist.recv(received, before)
        dist.send(edge, after)
    else:
        dist.send(edge, after)
        dist.recv(received, before)
    return received


def diffuse(field):
    field[:, 0] = pass_on(field[:, -1].contiguous())
    return field * 0.9 + field.mean() * 0.1


IN_TURN = True


if __name__ == "__main__":
    dist.init_process_group("gloo")
    dist.barrier()
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    field = torch.rand(256, 256)
    while True:
        field = diffuse(field)
        time.sleep(0.01)
