import os
import time

os.environ["RAY_DEBUG"] = "legacy"
import ray


def check(amounts):
    if sum(amounts) > LIMIT:
        breakpoint()
    return amounts


@ray.remote
def total_of(amounts):
    return sum(check(amounts))


def settle(day):
    return ray.get(total_of.remote([day, day + 1, day + 2]))


LIMIT = 30


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        settle(day)
        day += 1
        time.sleep(0.05)
