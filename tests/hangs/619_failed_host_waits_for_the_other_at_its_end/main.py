import multiprocessing
import os
import socket
import time

import jax
import numpy
from jax.experimental import multihost_utils

SPAWN = multiprocessing.get_context("spawn")


def load_shard(host, step):
    time.sleep(0.01)
    if host == 0 and step == BROKEN:
        raise ValueError("shard %d of host %d" % (step, host))
    return numpy.float32(step)


BROKEN = 20


def average(loss):
    return float(multihost_utils.process_allgather(loss).mean())


def train(host, port):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize("127.0.0.1:%d" % port, num_processes=2, process_id=host)
    for step in range(10**9):
        average(load_shard(host, step))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def launch():
    port = free_port()
    hosts = [
        SPAWN.Process(target=train, args=(host, port), name="host-%d" % host) for host in range(2)
    ]
    for host in hosts:
        host.start()
    for host in hosts:
        host.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    launch()
