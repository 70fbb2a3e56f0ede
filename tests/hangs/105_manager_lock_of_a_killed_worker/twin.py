import multiprocessing
import os
import signal
import time

signal.alarm(120)


def extract_entities(lock, pause):
    while True:
        with lock:
            time.sleep(pause)
        time.sleep(pause)


def merge_entities(lock, entities):
    with lock:
        entities[:] = [len(entities)]


def index_documents(pause):
    with multiprocessing.Manager() as manager:
        lock = manager.Lock()
        entities = manager.list()
        worker = multiprocessing.Process(target=extract_entities, args=(lock, pause))
        worker.start()
        while worker.is_alive():
            merge_entities(lock, entities)
            time.sleep(0.05)
        worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    index_documents(0.2)
