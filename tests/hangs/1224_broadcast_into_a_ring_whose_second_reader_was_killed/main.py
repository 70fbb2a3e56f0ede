import os
import signal
import threading
import time

os.environ.update(VLLM_LOGGING_LEVEL="ERROR", VLLM_NO_USAGE_STATS="1")
import torch.multiprocessing as mp
from vllm.distributed.device_communicators.shm_broadcast import MessageQueue


def run_layers(handle, rank):
    commands = MessageQueue.create_from_handle(handle, rank)
    commands.wait_until_ready()
    while True:
        commands.dequeue(indefinite=True)


def guard_memory(workers):
    time.sleep(2)
    if LIMITED:
        os.kill(workers[1].pid, signal.SIGKILL)
    time.sleep(1e6)


def execute_model(commands, step):
    commands.enqueue(("execute_model", step))


def main():
    commands = MessageQueue(2, 2, max_chunk_bytes=4096, max_chunks=4)
    handle = commands.export_handle()
    context = mp.get_context("spawn")
    workers = [
        context.Process(
            target=run_layers, args=(handle, rank), name="layers-%d" % rank, daemon=True
        )
        for rank in range(2)
    ]
    for worker in workers:
        worker.start()
    commands.wait_until_ready()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=guard_memory, args=(workers,), name="memory-guard", daemon=True).start()
    step = 0
    while True:
        execute_model(commands, step)
        step += 1
        time.sleep(0.02)


LIMITED = True


if __name__ == "__main__":
    main()
