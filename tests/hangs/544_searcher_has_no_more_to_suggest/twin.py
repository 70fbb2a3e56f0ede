import os

os.environ["RAY_AIR_NEW_OUTPUT"] = "0"
import tempfile
import time

import ray
from ray import tune
from ray.tune.search import Searcher

ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)


class Grid(Searcher):
    def __init__(self, points):
        super().__init__(metric="loss", mode="min")
        self.points = list(points)

    def suggest(self, trial_id):
        if not self.points:
            return self.end()
        return {"rate": self.points.pop()}

    def end(self):
        return Searcher.FINISHED

    def on_trial_complete(self, trial_id, result=None, error=False):
        pass


def fit_one(config):
    time.sleep(0.1)
    tune.report({"loss": config["rate"]})


def tune_all(points):
    tuner = tune.Tuner(
        fit_one,
        tune_config=tune.TuneConfig(search_alg=Grid(points), num_samples=8),
        run_config=tune.RunConfig(storage_path=tempfile.mkdtemp(prefix="tune-"), verbose=0),
    )
    return tuner.fit()


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    tune_all([0.1, 0.2, 0.3])
