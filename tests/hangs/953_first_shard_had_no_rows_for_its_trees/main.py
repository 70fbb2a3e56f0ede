import multiprocessing
import os
import socket
import time

import lightgbm
import numpy


def rows_of(shard):
    count = ROWS[shard]
    return numpy.random.rand(count, 4), numpy.random.rand(count)


def train_shard(shard, ports):
    rows, labels = rows_of(shard)
    if not len(rows):
        return None
    options = {
        "machines": ",".join("127.0.0.1:%d" % port for port in ports),
        "local_listen_port": ports[shard],
        "num_machines": len(ports),
        "tree_learner": "data",
        "time_out": 24 * 60,
        "num_threads": 1,
        "verbosity": -1,
    }
    return lightgbm.train(options, lightgbm.Dataset(rows, labels), num_boost_round=5)


def free_ports(count):
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in servers]
    for server in servers:
        server.close()
    return ports


ROWS = [0, 500]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    context = multiprocessing.get_context("spawn")
    while True:
        ports = free_ports(2)
        other = context.Process(target=train_shard, args=(0, ports), name="shard-0")
        other.start()
        train_shard(1, ports)
        other.join()
        time.sleep(0.1)
