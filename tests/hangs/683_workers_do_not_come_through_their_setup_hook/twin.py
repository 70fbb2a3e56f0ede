import fcntl
import os
import tempfile
import time

import ray

os.environ["RAY_CACHE_LOCK"] = os.path.join(tempfile.mkdtemp(prefix="cache-"), "lock")
KEPT = []


def warm_cache():
    with open(os.environ["RAY_CACHE_LOCK"], "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        time.sleep(0.1)


def take_cache():
    file = open(os.environ["RAY_CACHE_LOCK"], "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    KEPT.append(file)


@ray.remote
def embed(number):
    return number * 2


def embed_all():
    return ray.get([embed.remote(number) for number in range(4)])


def main():
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={
            "worker_process_setup_hook": warm_cache,
            "env_vars": {"RAY_CACHE_LOCK": os.environ["RAY_CACHE_LOCK"]},
        },
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        embed_all()


if __name__ == "__main__":
    main()
