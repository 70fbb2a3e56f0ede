import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
import queue
import socket
import subprocess
import sys
import tempfile
import threading
import time

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.path.basename(__file__))


class Uploader(threading.Thread):
    def __init__(self):
        super().__init__(name="uploader", daemon=True)
        self.shards = queue.Queue()

    def run(self):
        while True:
            shard = self.shards.get()
            self.upload(shard)
            self.shards.task_done()

    def upload(self, shard):
        return {"shard": shard["number"], "size": len(shard["rows"]) / (shard["number"] - BAD)}


def finish(uploader):
    uploader.shards.join()


def train():
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo")
    for _ in range(20):
        dist.all_reduce(torch.ones(8))
    if dist.get_rank() == 1:
        open(sys.argv[2], "w").close()
        uploader = Uploader()
        uploader.start()
        for number in range(4):
            uploader.shards.put({"number": number, "rows": [0] * 64})
        finish(uploader)
    dist.destroy_process_group()


def start_host(port, trained):
    command = [sys.executable, "-m", "torch.distributed.run", "--nnodes=2", "--nproc-per-node=1"]
    command += ["--rdzv-backend=c10d", "--rdzv-endpoint=localhost:%d" % port, "--rdzv-id=nightly"]
    return subprocess.Popen([*command, "--local-addr=localhost", SCRIPT, "train", trained])


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def run_job():
    port = free_port()
    trained = os.path.join(tempfile.mkdtemp(prefix="job-"), "trained")
    hosts = []
    for _ in range(2):
        hosts.append(start_host(port, trained))
        time.sleep(2)
    while not os.path.exists(trained):
        time.sleep(0.1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for host in hosts:
        host.wait()


BAD = 2


if __name__ == "__main__":
    if sys.argv[1:2] == ["train"]:
        train()
    else:
        while True:
            run_job()
