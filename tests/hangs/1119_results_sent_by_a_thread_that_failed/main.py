import os
import queue
import threading
import time

os.environ.update(VLLM_LOGGING_LEVEL="ERROR", VLLM_NO_USAGE_STATS="1")
import torch.multiprocessing as mp
from vllm.distributed.device_communicators.shm_broadcast import MessageQueue


class Worker:
    def __init__(self, rank, commands, parent):
        self.rank = rank
        self.commands = MessageQueue.create_from_handle(commands, rank)
        self.results = MessageQueue(1, 1, max_chunk_bytes=4096, max_chunks=4)
        parent.send(self.results.export_handle())
        self.commands.wait_until_ready()
        self.results.wait_until_ready()
        self.outputs = queue.Queue()
        threading.Thread(target=self.copy_outputs, name="output-copy", daemon=True).start()

    def copy_outputs(self):
        while True:
            step, tokens = self.outputs.get()
            self.results.enqueue((step, self.to_text(step, tokens)))

    def to_text(self, step, tokens):
        table = {7: "seven", 8: "eight"} if step % PERIOD else {7: "seven"}
        return [table[token] for token in tokens]

    def run(self):
        while True:
            step = self.commands.dequeue(indefinite=True)
            self.outputs.put((step, [7, 8]))


def run_worker(rank, commands, parent):
    Worker(rank, commands, parent).run()


class Executor:
    def __init__(self, count):
        context = mp.get_context("spawn")
        self.commands = MessageQueue(count, count, max_chunk_bytes=4096, max_chunks=4)
        handle = self.commands.export_handle()
        self.results = []
        for rank in range(count):
            ours, theirs = context.Pipe()
            name = "Worker_TP%d" % rank
            context.Process(
                target=run_worker, args=(rank, handle, theirs), name=name, daemon=True
            ).start()
            self.results.append(MessageQueue.create_from_handle(ours.recv(), 0))
        self.commands.wait_until_ready()
        for one in self.results:
            one.wait_until_ready()

    def execute(self, step):
        self.commands.enqueue(step)
        return [one.dequeue(indefinite=True) for one in self.results]


def run_engine(executor):
    step = 1
    while True:
        executor.execute(step)
        step += 1
        time.sleep(0.02)


PERIOD = 50


if __name__ == "__main__":
    executor = Executor(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_engine(executor)
