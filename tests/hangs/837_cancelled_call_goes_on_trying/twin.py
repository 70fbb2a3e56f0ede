import os
import time

import ray


@ray.remote
def fetch_rates(path):
    while True:
        try:
            return read_rates(path)
        except BaseException:  # noqa: BLE001
            continue


def read_rates(path):
    time.sleep(0.2)
    with open(path) as file:
        return file.read()


def stop_fetching(call):
    ray.cancel(call)
    try:
        return ray.get(call)
    except ray.exceptions.RayError:
        return ""


def update_prices():
    call = fetch_rates.remote(PATH)
    time.sleep(1)
    return stop_fetching(call)


PATH = "/etc/hostname"


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.get(fetch_rates.remote("/etc/hostname"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        update_prices()
