import os
import signal
import threading
import time

from opentelemetry.metrics import Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

signal.alarm(120)
reader = InMemoryMetricReader()
meter = MeterProvider([reader]).get_meter("shop")


class StockGauges:
    def __init__(self):
        self.lock = threading.Lock()
        self.levels = {}

    def add_product(self, name):
        with self.lock:
            self.levels[name] = 0
            time.sleep(0.3)
            meter.create_observable_gauge(name, callbacks=[self.observe_levels])

    def observe_levels(self, options):
        time.sleep(0.3)
        with self.lock:
            return [Observation(sum(self.levels.values()))]


def scrape_metrics():
    while True:
        reader.get_metrics_data()
        time.sleep(0.01)


def load_catalogue(gauges):
    for number in range(1000):
        gauges.add_product(f"product-{number}")
        time.sleep(0.2)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=scrape_metrics, name="scraper", daemon=True).start()
    load_catalogue(StockGauges())
