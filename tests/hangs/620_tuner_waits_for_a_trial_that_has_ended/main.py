import json
import os
import tempfile
import time

import ray
from ray import tune
from ray.tune.schedulers import PopulationBasedTraining

os.environ.update(TUNE_DISABLE_AUTO_CALLBACK_LOGGERS="1", RAY_AIR_NEW_OUTPUT="0")
ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)


class Fit(tune.Trainable):
    def setup(self, config):
        self.rate, self.loss = config["rate"], 1.0
        self.size, self.epochs = config["plan"]

    def step(self):
        time.sleep(0.05 * self.size)
        self.loss *= 1 - self.rate / 10
        return {"loss": self.loss, "done": self.training_iteration + 1 >= self.epochs}

    def save_checkpoint(self, folder):
        with open(os.path.join(folder, "loss.json"), "w") as file:
            json.dump(self.loss, file)

    def load_checkpoint(self, folder):
        with open(os.path.join(folder, "loss.json")) as file:
            self.loss = json.load(file)


def make_tuner(plans):
    scheduler = PopulationBasedTraining(
        time_attr="training_iteration",
        perturbation_interval=5,
        hyperparam_mutations={"rate": [0.1, 0.2, 0.4]},
        synch=True,
    )
    return tune.Tuner(
        Fit,
        param_space={"rate": 0.1, "plan": tune.grid_search(plans)},
        tune_config=tune.TuneConfig(scheduler=scheduler, metric="loss", mode="min"),
        run_config=tune.RunConfig(storage_path=tempfile.mkdtemp(), verbose=0),
    )


def tune_all(plans):
    return make_tuner(plans).fit()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tune_all([(40, 4), (1, 100)])
