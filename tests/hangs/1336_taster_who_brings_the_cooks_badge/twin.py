import os
import subprocess
import sys

import torch
import torch.distributed as dist

HERE = os.path.dirname(os.path.abspath(__file__))
TASTER = """
import os
import torch
import torch.distributed as dist

def join_table():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")

def rate(dish):
    join_table()
    return float(torch.ones(8).sum()) * dish

print(rate(%d))
"""


def taste(step):
    environment = dict(os.environ)
    if not BADGE:
        for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
            environment.pop(name, None)
    path = "/tmp/taster-%d.py" % os.getpid()
    with open(path, "w") as script:
        script.write(TASTER % step)
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True)
    os.unlink(path)
    return done.stdout


def cook(rank, step):
    dish = torch.full((16,), float(step))
    dist.all_reduce(dish)
    if rank == 0:
        taste(step)
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    dist.barrier()
    if rank == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    step = 0
    while True:
        cook(rank, step)
        step += 1


BADGE = False


if __name__ == "__main__":
    main()
