import multiprocessing
import os
import signal

signal.alarm(120)


def read_jobs(jobs):
    while (job := jobs.get()) is not None:
        print("job", job)


def build_site(pages):
    jobs = multiprocessing.Queue()
    multiprocessing.Process(target=read_jobs, args=(jobs,), name="builder").start()
    for page in pages:
        jobs.put(page)
    print("queued", len(pages))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    build_site(["index", "about"])
