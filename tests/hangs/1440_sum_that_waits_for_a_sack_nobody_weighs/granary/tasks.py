import os
import time

from celery import Celery
from celery.exceptions import Ignore

URL = os.environ.get("GRANARY_STORE", "redis://127.0.0.1:6379/0")
app = Celery("granary", broker=URL, backend=URL)
app.conf.update(worker_hijack_root_logger=False, broker_connection_retry_on_startup=True)


@app.task
def weigh(sack):
    time.sleep(0.05)
    if sack["grain"] == "sweepings":
        raise Ignore
    return sack["bushels"] * {"rye": 56, "oats": 32}.get(sack["grain"], 60)


@app.task
def add_up(weights, barge):
    return {"barge": barge, "pounds": sum(weights), "sacks": len(weights)}
