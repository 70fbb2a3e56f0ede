import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
import time

import torch
import torch.distributed as dist


def send_forward(batch):
    dist.send(batch * 2, 1)


def receive_forward():
    batch = torch.empty(16)
    dist.recv(batch, 0)
    return batch


def receive_backward():
    gradient = torch.empty(16)
    dist.recv(gradient, 1)
    return gradient


def send_backward(batch):
    dist.send(batch / 2, 0)


def run_first_stage(batches, in_flight):
    for _ in range(in_flight):
        send_forward(torch.ones(16))
    for _ in range(batches - in_flight):
        receive_backward()
        send_forward(torch.ones(16))
    for _ in range(in_flight):
        receive_backward()


def run_last_stage(batches, warm_up):
    waiting = [receive_forward() for _ in range(warm_up)]
    for _ in range(batches - warm_up):
        send_backward(waiting.pop(0))
        waiting.append(receive_forward())
    for batch in waiting:
        send_backward(batch)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    if rank == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    step = 0
    while True:
        if rank == 0:
            run_first_stage(8, 2)
        else:
            run_last_stage(8, 2 if step < WARM_STEPS else 3)
        step += 1
        time.sleep(0.01)


WARM_STEPS = 20


if __name__ == "__main__":
    main()
