import os
import queue
import signal
import threading
import time
from concurrent.futures import Future, wait

signal.alarm(120)


class Printer:
    def __init__(self):
        self.jobs = queue.Queue()
        threading.Thread(target=self.print_jobs, name="printer", daemon=True).start()

    def print_jobs(self):
        while True:
            job, page = self.jobs.get()
            if not job.set_running_or_notify_cancel():
                continue
            time.sleep(0.02)
            job.set_result(len(page))


def print_book(printer, pages):
    jobs = []
    for page in pages:
        job = Future()
        jobs.append(job)
        if not page:
            job.cancel()
        printer.jobs.put((job, page))
    return wait(jobs)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    printer = Printer()
    while True:
        print_book(printer, ["one", "", "three"])
