import os
import sched
import signal
import threading

signal.alarm(120)
HOUR = 3600


def run_jobs(jobs):
    jobs.run()


def ask_report(jobs):
    ready = threading.Event()
    jobs.enter(0.1, 1, ready.set)
    ready.wait()


if __name__ == "__main__":
    jobs = sched.scheduler()
    jobs.enter(HOUR, 1, print, ("backup",))
    threading.Thread(target=run_jobs, args=(jobs,), name="scheduler", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    threading.Event().wait(0.5)
    ask_report(jobs)
