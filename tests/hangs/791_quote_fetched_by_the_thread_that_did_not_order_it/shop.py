from celery import Celery
from celery.contrib.testing.worker import start_worker

app = Celery("shop", broker="memory://", backend="rpc://")
app.conf.broker_connection_retry_on_startup = True


@app.task(name="shop.quote")
def quote(weight):
    return weight * 3


def open_shop():
    return start_worker(app, pool="solo", perform_ping_check=False, loglevel="ERROR")
