import os

os.environ["TRITON_INTERPRET"] = "1"

import torch
import triton
import triton.language as tl


@triton.jit
def sum_parts(parts, arrived, total, programs: tl.constexpr):
    number = tl.program_id(0)
    tl.atomic_add(total, tl.load(parts + number))
    tl.atomic_add(arrived, 1)
    while tl.atomic_add(arrived, 0) < programs:
        pass


def reduce_scores(parts, programs):
    arrived = torch.zeros(1, dtype=torch.int32)
    total = torch.zeros(1)
    sum_parts[(programs,)](parts, arrived, total, programs)
    return total.item()


def rank_all(programs):
    while True:
        reduce_scores(torch.ones(programs), programs)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    rank_all(4)
