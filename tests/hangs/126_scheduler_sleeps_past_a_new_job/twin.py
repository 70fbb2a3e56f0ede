import os
import sched
import signal
import threading
import time

signal.alarm(120)


def run_jobs(jobs):
    while True:
        jobs.run(blocking=False)
        time.sleep(0.02)


def ask_report(jobs):
    ready = threading.Event()
    jobs.enter(0.1, 1, ready.set)
    ready.wait()


if __name__ == "__main__":
    jobs = sched.scheduler()
    jobs.enter(3600, 1, print, ("backup",))
    threading.Thread(target=run_jobs, args=(jobs,), name="scheduler", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        ask_report(jobs)
