import os
import signal
import time

DOIT_CONFIG = {"num_process": 2, "par_type": "process", "dep_file": os.environ["KITCHEN_DB"]}


def knead(dough):
    time.sleep(0.3)
    if dough == "rye":
        os.kill(os.getpid(), signal.SIGKILL)


def bake(dough):
    time.sleep(0.2)


def task_knead():
    for dough in ("oat", "rye"):
        yield {"name": dough, "actions": [(knead, [dough])]}


def task_bake():
    return {"actions": [(bake, ["all"])], "task_dep": ["knead"]}
