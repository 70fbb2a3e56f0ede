import multiprocessing
import os
import signal
import time

signal.alarm(120)


def read_jobs(jobs):
    while (job := jobs.get()) is not None:
        time.sleep(0.1)
        print("job", job)


def build_site(pages):
    jobs = multiprocessing.Queue()
    builder = multiprocessing.Process(target=read_jobs, args=(jobs,), name="builder")
    builder.start()
    for page in pages:
        jobs.put(page)
    jobs.put(None)
    builder.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    while True:
        build_site(["index", "about"])
