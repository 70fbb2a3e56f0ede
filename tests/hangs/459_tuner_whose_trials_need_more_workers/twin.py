import os
import tempfile

os.environ["RAY_TRAIN_V2_ENABLED"] = "1"
os.environ["RAY_TRAIN_ENABLE_STATE_TRACKING"] = "0"
os.environ["RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"] = "3600"

import ray
import ray.train
from ray import tune
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer

ray.init(num_cpus=8, include_dashboard=False, log_to_driver=False)
FOLDER = tempfile.mkdtemp()


def train():
    ray.train.report({"loss": 1.0})


def fit_trial(config):
    name = "rate-%s" % config["rate"]
    TorchTrainer(
        train,
        scaling_config=ScalingConfig(num_workers=1),
        run_config=RunConfig(storage_path=FOLDER, name=name),
    ).fit()


def tune_all():
    trial = tune.with_resources(fit_trial, {"cpu": 2})
    space = {"rate": tune.grid_search([0.1, 0.01])}
    running = tune.TuneConfig(max_concurrent_trials=2)
    storage = tune.RunConfig(storage_path=FOLDER, verbose=0)
    tune.Tuner(trial, param_space=space, tune_config=running, run_config=storage).fit()


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    tune_all()
