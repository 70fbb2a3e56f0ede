import os
import signal
import tempfile

os.environ["PREFECT_HOME"] = os.path.join(tempfile.gettempdir(), "bakery")
os.environ["PREFECT_LOGGING_LEVEL"] = "ERROR"
os.environ["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"] = "60"
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "False"

from prefect import flow, task
from prefect.task_runners import ThreadPoolTaskRunner

signal.alarm(120)


@task
def knead(flour):
    return flour + 1


@task
def bake(flour):
    print("MARK main pid=%d" % os.getpid(), flush=True)
    return knead.submit(flour).result() * 2


@flow(task_runner=ThreadPoolTaskRunner(max_workers=8))
def open_bakery(loaves):
    baked = [bake.submit(flour) for flour in range(loaves)]
    return [loaf.result() for loaf in baked]


if __name__ == "__main__":
    while True:
        open_bakery(4)
