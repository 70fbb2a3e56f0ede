import os
import time

os.environ.update(DS_ACCELERATOR="cpu", DS_SKIP_CUDA_CHECK="1")
import deepspeed
import torch
import torch.distributed as dist

FOLDER = "/tmp/states-%s" % os.environ["MASTER_PORT"]
CONFIG = {
    "train_micro_batch_size_per_gpu": 2,
    "optimizer": {"type": "Adam", "params": {"lr": 0.01, "torch_adam": True}},
    "zero_optimization": {"stage": 1},
    "steps_per_print": 100000,
}


def save(engine, step):
    engine.save_checkpoint(FOLDER, tag="step-%d" % (step % 20))


def saves():
    return True


def train(engine):
    step = 0
    while True:
        loss = engine(torch.ones(2, 8)).sum()
        engine.backward(loss)
        engine.step()
        if step % 10 == 9 and saves():
            save(engine, step)
        step += 1
        time.sleep(0.02)


def make_engine():
    model = torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in range(4)))
    return deepspeed.initialize(model=model, model_parameters=model.parameters(), config=CONFIG)[0]


if __name__ == "__main__":
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    deepspeed.init_distributed("gloo", verbose=False)
    engine = make_engine()
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train(engine)
