import multiprocessing
import os
import socket
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist


def take_requests(inputs, running):
    while not running:
        running.append(inputs.get())
    while not inputs.empty():
        running.append(inputs.get())


def step(running):
    tokens = torch.tensor([len(running)])
    dist.all_reduce(tokens)
    return int(tokens)


def run_engine(rank, port, inputs, answers):
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=2
    )
    running = []
    while True:
        take_requests(inputs, running)
        step(running)
        for request in list(running):
            request["left"] -= 1
            if not request["left"]:
                running.remove(request)
                answers.put((rank, request["number"]))


def route(inputs, answers, number):
    for engine, length in zip(inputs, LENGTHS if number % 20 == 19 else (4, 4)):
        engine.put({"number": number, "left": length})
    return [answers.get() for _ in inputs]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


LENGTHS = (9, 5)


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    port, answers = free_port(), context.Queue()
    inputs = [context.Queue() for _ in range(2)]
    for rank in range(2):
        context.Process(
            target=run_engine,
            args=(rank, port, inputs[rank], answers),
            name="engine-%d" % rank,
            daemon=True,
        ).start()
    number = 0
    while True:
        route(inputs, answers, number)
        if not number:
            print("MARK main pid=%d" % os.getpid(), flush=True)
        number += 1
        time.sleep(0.02)
