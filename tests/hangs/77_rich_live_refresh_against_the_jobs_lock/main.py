import os
import signal
import threading
import time

from rich.console import Console
from rich.live import Live

signal.alarm(120)
jobs_lock = threading.Lock()
jobs = {"alba": "running", "bruno": "running"}


def show_jobs():
    with jobs_lock:
        return ", ".join(sorted(jobs))


def finish_job(live, name):
    with jobs_lock:
        time.sleep(1.5)
        jobs[name] = "done"
        live.refresh()


def run_jobs():
    console = Console(file=open(os.devnull, "w"), force_terminal=True)
    with Live(get_renderable=show_jobs, console=console) as live:
        for name in list(jobs):
            finish_job(live, name)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    run_jobs()
