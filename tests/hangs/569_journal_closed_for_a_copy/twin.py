import itertools
import multiprocessing
import os
import shutil
import signal
import tempfile
import threading

signal.alarm(120)


class Journal:
    def __init__(self, path):
        self.path = path
        self.writing = threading.Lock()
        os.register_at_fork(
            before=self.writing.acquire,
            after_in_parent=self.writing.release,
            after_in_child=self.writing.release,
        )

    def append(self, line):
        with self.writing, open(self.path, "a") as journal:
            journal.write(line + "\n")


def copy_journal(path):
    shutil.copy(path, path + ".old")


class Archive:
    def __init__(self, journal):
        self.journal = journal
        self.processes = multiprocessing.get_context("fork")

    def rotate(self):
        copier = self.processes.Process(target=copy_journal, args=(self.journal.path,))
        copier.start()
        copier.join()
        with self.journal.writing:
            os.truncate(self.journal.path, 0)


if __name__ == "__main__":
    journal = Journal(os.path.join(tempfile.mkdtemp(), "journal"))
    archive = Archive(journal)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number in itertools.count(1):
        journal.append("sold %d" % number)
        if number % 100 == 0:
            archive.rotate()
