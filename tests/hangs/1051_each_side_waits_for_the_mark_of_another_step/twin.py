import multiprocessing
import os
import pathlib
import tempfile
import time


def wait_for_mark(path):
    while not path.exists():
        time.sleep(0.02)


def broadcast_weights(folder, step):
    target = folder / f"step_{step}"
    target.mkdir(exist_ok=True)
    (target / "weights.bin").write_bytes(bytes(step % 256 for _ in range(4096)))
    (target / "STABLE").touch()
    wait_for_mark(target / "READY")


def train(folder):
    step = 0
    while True:
        step += 1
        broadcast_weights(folder, step)


def update_policy(folder, step):
    target = folder / f"step_{step}"
    wait_for_mark(target / "STABLE")
    weights = (target / "weights.bin").read_bytes()
    (target / "READY").touch()
    return weights


def evaluate(weights):
    time.sleep(0.1)
    return AHEAD


def orchestrate(folder):
    step = 0
    while True:
        step += 1
        weights = update_policy(folder, step)
        if step % 40 == 0:
            step += evaluate(weights)


AHEAD = 0


if __name__ == "__main__":
    folder = pathlib.Path(tempfile.mkdtemp(prefix="outputs-"))
    context = multiprocessing.get_context("fork")
    parts = [
        context.Process(target=train, args=(folder,), name="trainer"),
        context.Process(target=orchestrate, args=(folder,), name="orchestrator"),
    ]
    for part in parts:
        part.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for part in parts:
        part.join()
