import multiprocessing
import os
import signal
import time

signal.alarm(120)


def write_page(book_lock, writing):
    with book_lock:
        writing.set()
        time.sleep(300)


def stop_worker(worker):
    worker.terminate()
    worker.join()


def close_book(book_lock):
    with book_lock:
        return "closed"


def write_book():
    context = multiprocessing.get_context("fork")
    book_lock, writing = context.Lock(), context.Event()
    worker = context.Process(target=write_page, args=(book_lock, writing), name="writer")
    worker.start()
    writing.wait()
    stop_worker(worker)
    close_book(book_lock)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    write_book()
