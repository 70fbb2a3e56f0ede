import os
import signal
import threading
import time

import schedule

signal.alarm(120)
rates_ready = threading.Event()


def fetch_rates():
    rates_ready.set()


def send_quotes():
    if not rates_ready.is_set():
        return
    rates_ready.clear()
    print("quotes sent")


def run_jobs(plan):
    while True:
        plan.run_pending()
        time.sleep(0.5)


if __name__ == "__main__":
    plan = schedule.Scheduler()
    plan.every(1).seconds.do(send_quotes)
    plan.every(2).seconds.do(fetch_rates)
    print("MARK main pid=%d" % os.getpid())
    run_jobs(plan)
