import os
import random
import time

import optuna
import torch
import torch.distributed as dist
from optuna_integration import TorchDistributedTrial

optuna.logging.set_verbosity(optuna.logging.ERROR)


def validate(rate):
    return rate * random.random()


def average(loss):
    total = torch.tensor(loss)
    dist.all_reduce(total)
    time.sleep(0.01)
    return float(total) / dist.get_world_size()


def objective(single):
    trial = TorchDistributedTrial(single)
    rate = trial.suggest_float("rate", 0.5, 1.0)
    for epoch in range(5):
        own = validate(rate)
        loss = average(own)
        trial.report(loss, epoch)
        if own > 0.8:
            raise optuna.TrialPruned
    return loss


def search(study, trials):
    if study is not None:
        study.optimize(objective, n_trials=trials)
        return
    for _ in range(trials):
        try:
            objective(None)
        except optuna.TrialPruned:
            pass


if __name__ == "__main__":
    dist.init_process_group("gloo")
    random.seed(dist.get_rank())
    study = optuna.create_study() if dist.get_rank() == 0 else None
    if study is not None:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    search(study, 100000)
