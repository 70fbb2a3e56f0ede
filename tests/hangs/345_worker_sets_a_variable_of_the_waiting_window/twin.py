import os
import queue
import signal
import threading
import tkinter as tk

signal.alarm(120)


class Window:
    def __init__(self):
        self.tcl = tk.Tcl()
        self.jobs = queue.Queue()
        self.tcl.createcommand("import_files", self.import_files)
        threading.Thread(target=self.work, name="importer", daemon=True).start()

    def work(self):
        while True:
            name = self.jobs.get()
            self.tcl.setvar("status", f"{name} imported")
            self.jobs.task_done()

    def import_files(self):
        for name in ("tea.csv", "milk.csv"):
            self.jobs.put(name)
        self.tcl.eval("after 100 import_files")

    def show(self):
        self.tcl.eval("after 100 import_files")
        self.tcl.tk.mainloop(-1)


if __name__ == "__main__":
    window = Window()
    print("MARK main pid=%d" % os.getpid())
    window.show()
