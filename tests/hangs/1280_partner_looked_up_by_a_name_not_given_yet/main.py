import os
import time

import ray


@ray.remote(num_cpus=0.5)
class Stage:
    def __init__(self, name, partner):
        self.name = name
        self.partner = self.find_partner(partner)

    def find_partner(self, partner):
        while True:
            try:
                return ray.get_actor(partner)
            except ValueError:
                time.sleep(0.1)

    def ready(self):
        return self.name

    def step(self, tokens):
        return tokens + 1


def make_stage(name):
    partner = "decode" if name == "prefill" else "prefill"
    return Stage.options(name=name).remote(name, partner)


def start_stage(made, name):
    ray.get([stage.ready.remote() for stage in made])
    return made


def start_all():
    made = [make_stage(name) for name in FIRST]
    start_stage(made, FIRST[0])
    made += [make_stage(name) for name in ("prefill", "decode") if name not in FIRST]
    return start_stage(made, "decode")


FIRST = ("prefill",)


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    stages = start_all()
    while True:
        ray.get([stage.step.remote(1) for stage in stages])
        time.sleep(0.02)
