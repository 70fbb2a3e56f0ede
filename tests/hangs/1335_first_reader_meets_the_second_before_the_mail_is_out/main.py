import os

import torch
import torch.distributed as dist


def hand_out(version):
    plan = torch.full((64,), float(version))
    receipt = torch.zeros(1)
    for reader in range(2):
        dist.send(plan, dst=reader)
        if FIRST_FIRST:
            dist.recv(receipt, src=reader)
    if not FIRST_FIRST:
        for reader in range(2):
            dist.recv(receipt, src=reader)
    return receipt


def take_plan():
    plan = torch.zeros(64)
    dist.recv(plan, src=2)
    return plan


def settle(readers):
    dist.barrier(group=readers)


def give_receipt(plan):
    dist.send(plan[:1].clone(), dst=2)


def read_mail(readers):
    plan = take_plan()
    settle(readers)
    give_receipt(plan)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    readers = dist.new_group([0, 1])
    dist.barrier()
    if rank == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    version = 0
    while True:
        if rank == 2:
            hand_out(version)
        else:
            read_mail(readers)
        version += 1


FIRST_FIRST = True


if __name__ == "__main__":
    main()
