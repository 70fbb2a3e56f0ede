import multiprocessing
import os
import signal

signal.alarm(120)


def copy_files(batches):
    if batches.get()[0] == "missing":
        raise SystemExit("copy: no such file")


def sync_folder(count):
    batches = multiprocessing.Queue()
    worker = multiprocessing.Process(target=copy_files, args=(batches,))
    worker.start()
    batches.put(["missing"])
    for number in range(count):
        batches.put(["file-%d" % number] * 500)
    worker.join()
    print("sync failed with status", worker.exitcode)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    sync_folder(200)
