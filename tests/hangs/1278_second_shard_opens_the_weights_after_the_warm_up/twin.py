import multiprocessing
import os
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
from filelock import FileLock


class Shard:
    def __init__(self, folder, rank):
        self.folder = folder
        self.rank = rank
        self.warm = threading.Event()

    def warm_up(self, request, context):
        self.warm.set()
        return b"ok"

    def decode(self, request, context):
        return request.upper()

    def start(self):
        handlers = {
            "WarmUp": grpc.unary_unary_rpc_method_handler(self.warm_up),
            "Decode": grpc.unary_unary_rpc_method_handler(self.decode),
        }
        server = grpc.server(ThreadPoolExecutor(2))
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("generate.Shard", handlers),)
        )
        server.add_insecure_port("unix:%s/shard-%d" % (self.folder, self.rank))
        server.start()
        return server


def load_weights(folder):
    lock = FileLock(os.path.join(folder, "weights.lock"), poll_interval=0.05)
    lock.acquire()
    time.sleep(0.1)
    return lock


def serve_shard(folder, rank):
    lock = load_weights(folder)
    if not KEEPS:
        lock.release()
    shard = Shard(folder, rank)
    server = shard.start()
    shard.warm.wait()
    lock.release(force=True)
    server.wait_for_termination()


def connect(folder, rank):
    channel = grpc.insecure_channel("unix:%s/shard-%d" % (folder, rank))
    grpc.channel_ready_future(channel).result()
    return channel


def route(folder):
    channels = [connect(folder, rank) for rank in range(2)]
    for channel in channels:
        channel.unary_unary("/generate.Shard/WarmUp")(b"")
    while True:
        for channel in channels:
            channel.unary_unary("/generate.Shard/Decode")(b"some words")
        time.sleep(0.02)


def main():
    folder = tempfile.mkdtemp(prefix="shards-")
    context = multiprocessing.get_context("spawn")
    for rank in range(2):
        context.Process(
            target=serve_shard, args=(folder, rank), name="shard-%d" % rank, daemon=True
        ).start()
        time.sleep(1.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    route(folder)


KEEPS = False


if __name__ == "__main__":
    main()
