import threading

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler


class LabelOffice:
    def __init__(self, threads):
        self.rates = {}
        self.rates_loaded = threading.Event()
        self.printed = []
        self.scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(threads)},
            job_defaults={"misfire_grace_time": None},
        )

    def print_label(self, parcel):
        self.rates_loaded.wait()
        self.printed.append((parcel, self.rates["parcel"]))

    def load_rates(self):
        self.rates["parcel"] = 7
        self.rates_loaded.set()

    def open(self, parcels):
        self.scheduler.start(paused=True)
        for parcel in parcels:
            self.scheduler.add_job(self.print_label, args=[parcel])
        self.scheduler.add_job(self.load_rates)
        self.scheduler.resume()
