import os
import sys
import tempfile
import time

import ray

SCRIPT = """#!/bin/sh
exec 9>>"{folder}/env.lock"
flock 9
test -d "{folder}/env" || mkdir "{folder}/env"
exec {python} "$@"{close}
"""


def start_script(folder):
    path = os.path.join(folder, "python-in-env")
    with open(path, "w") as file:
        file.write(SCRIPT.format(folder=folder, python=sys.executable, close=CLOSE))
    os.chmod(path, 0o755)
    return path


@ray.remote(num_cpus=1)
class Scorer:
    def ready(self):
        return os.getpid()

    def score(self, number):
        return number * 2


def start_all(script, count):
    scorers = [Scorer.options(runtime_env={"py_executable": script}).remote() for _ in range(count)]
    for one in scorers:
        print("ready", ray.get(one.ready.remote()), flush=True)
    return scorers


CLOSE = " 9>&-"


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    script = start_script(tempfile.mkdtemp(prefix="env-"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    scorers = start_all(script, 2)
    while True:
        ray.get([one.score.remote(1) for one in scorers])
        time.sleep(0.1)
