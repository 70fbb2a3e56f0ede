import multiprocessing
import os
import signal
import time

signal.alarm(120)


def extract_entities(lock, pause):
    with lock:
        time.sleep(pause)


def merge_entities(lock, entities):
    with lock:
        entities.append(len(entities))


def index_documents(pause):
    with multiprocessing.Manager() as manager:
        lock = manager.Lock()
        entities = manager.list()
        worker = multiprocessing.Process(target=extract_entities, args=(lock, pause))
        worker.start()
        while lock.acquire(False):
            lock.release()
            time.sleep(0.01)
        worker.kill()
        worker.join()
        merge_entities(lock, entities)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    index_documents(60)
