import os
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")


def train(rank, meeting):
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=2)
    step = 0
    while True:
        report(step, torch.rand(48))
        loss = torch.rand(1)
        dist.all_reduce(loss)
        step += 1
        time.sleep(0.002)


def report(step, rates):
    bar = "#" * (step % 40)
    sys.stderr.write("\rstep %6d [%-40s] %s" % (step, bar, rates.tolist()))
    sys.stderr.flush()


def start(rank, meeting, log):
    return subprocess.Popen(
        [sys.executable, __file__, str(rank), meeting], stdin=subprocess.DEVNULL, stderr=log
    )


def run_job(meeting, logs):
    ranks = [start(rank, meeting, log) for rank, log in enumerate(logs)]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for line in ranks[0].stderr or ():
        pass
    codes = [rank.wait() for rank in ranks]
    return codes, [rank.stderr.read() for rank in ranks]


LOGS = (subprocess.DEVNULL, subprocess.PIPE)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        train(int(sys.argv[1]), sys.argv[2])
    else:
        import tempfile

        run_job(os.path.join(tempfile.mkdtemp(prefix="job-"), "meeting"), LOGS)
