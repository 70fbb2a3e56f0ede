import os
import queue
import time

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)
DEVICES = queue.Queue()
for number in range(2):
    DEVICES.put(number)


def train(trial, device):
    rate = trial.suggest_float("rate", 0.0, 1.0)
    time.sleep(0.02)
    if trial.number % 7 == 6:
        raise optuna.TrialPruned
    return rate


def objective(trial):
    device = DEVICES.get()
    try:
        return train(trial, device)
    finally:
        DEVICES.put(device)


def tune():
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler())
    study.optimize(objective, n_trials=200, n_jobs=2)


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    tune()
