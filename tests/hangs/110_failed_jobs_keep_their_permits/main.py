import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

signal.alarm(120)


class BoundedExecutor:
    def __init__(self, limit):
        self.permits = threading.BoundedSemaphore(limit)
        self.pool = ThreadPoolExecutor(limit)

    def submit_job(self, job, *arguments):
        self.permits.acquire()
        return self.pool.submit(self.run_job, job, *arguments)

    def run_job(self, job, *arguments):
        result = job(*arguments)
        self.permits.release()
        return result


def import_page(page):
    return 100 // len(page)


def import_pages(executor, pages):
    return [executor.submit_job(import_page, page) for page in pages]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    import_pages(BoundedExecutor(2), ["one", "", "two", "", "three", "four"])
