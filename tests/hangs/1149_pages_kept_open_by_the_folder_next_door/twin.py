import multiprocessing
import os
import subprocess
import sys
import time

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "binder.py")


def fold(sheets, folded):
    while True:
        sheet = sheets.get()
        folded.put(sheet.upper())


class Press:
    def __init__(self):
        self.sheets = multiprocessing.Queue()
        self.folded = multiprocessing.Queue()
        self.books = []

    def hire_folder(self):
        folder = multiprocessing.Process(
            target=fold, args=(self.sheets, self.folded), name="folder", daemon=True
        )
        folder.start()
        return folder

    def fold_page(self, page):
        self.sheets.put(page)
        return self.folded.get()

    def print_book(self, pages):
        binder = subprocess.Popen(
            [sys.executable, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if LATE:
            self.hire_folder()
        for page in pages:
            binder.stdin.write(self.fold_page(page) + "\n")
        binder.stdin.close()
        self.books.append(binder.stdout.read())
        binder.wait()


def run_press():
    press = Press()
    if not LATE:
        press.hire_folder()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        press.print_book(["one", "two", "three"])
        time.sleep(0.02)


LATE = False


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    run_press()
