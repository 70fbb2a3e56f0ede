from celery import Celery
from celery.exceptions import Ignore

app = Celery("reports", broker="memory://", backend="cache+memory://")
closed = {"sunday"}


@app.task(bind=True)
def count_visitors(self, day):
    if day in closed:
        raise Ignore()
    return len(day) * 100


def report_visitors(days):
    counts = [count_visitors.delay(day) for day in days]
    return {day: count.get() for day, count in zip(days, counts)}
