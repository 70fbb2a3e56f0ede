import os
import queue
import time

import torch.distributed.rpc as rpc
import torch.multiprocessing as mp

JOBS = queue.Queue()


def submit(job):
    JOBS.put(job)


def work_off():
    done = 0
    while True:
        job = JOBS.get()
        if job is None:
            return done
        done += job
        time.sleep(0.01)


def hand_out(jobs, end_mark):
    for number in range(jobs):
        rpc.rpc_sync("worker", submit, args=(number,))
        time.sleep(0.02)
    if end_mark:
        rpc.rpc_sync("worker", submit, args=(None,))


def run(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    rpc.init_rpc(("trainer", "worker")[rank], rank=rank, world_size=2)
    if rank == 0:
        hand_out(20, end_mark=False)
    else:
        work_off()
    rpc.shutdown()


def free_port():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mp.spawn(run, (free_port(),), nprocs=2)
