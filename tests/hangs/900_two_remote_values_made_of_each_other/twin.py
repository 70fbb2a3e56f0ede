import os
import socket
import threading
import time

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp

BOARD = {}
OFFERED = threading.Condition()


def offer(day, name, part):
    with OFFERED:
        BOARD[day, name] = part
        OFFERED.notify_all()


def take(day, name):
    with OFFERED:
        OFFERED.wait_for(lambda: (day, name) in BOARD)
        return BOARD.pop((day, name))


def blend(day, other):
    part = take(day, other)
    amount = torch.full((2,), float(day))
    if day < 5 or other not in SOURCES:
        return amount
    return amount + part.to_here()


def plan(day):
    south = rpc.remote("south", blend, args=(day, "north"))
    north = rpc.remote("north", blend, args=(day, "south"))
    rpc.rpc_sync("south", offer, args=(day, "north", north))
    offer(day, "south", south)
    return south.to_here() + north.to_here()


def serve(name, rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    options = rpc.TensorPipeRpcBackendOptions(num_worker_threads=8, rpc_timeout=86400)
    rpc.init_rpc(name, rank=rank, world_size=2, rpc_backend_options=options)


def stand_by(port):
    serve("south", 1, port)
    rpc.shutdown()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


SOURCES = ("north",)


if __name__ == "__main__":
    port = free_port()
    context = mp.get_context("spawn")
    context.Process(target=stand_by, args=(port,), name="south", daemon=True).start()
    serve("north", 0, port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        plan(day)
        day += 1
        time.sleep(0.05)
