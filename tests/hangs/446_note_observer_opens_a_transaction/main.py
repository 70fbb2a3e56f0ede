import os
import signal
import threading

from pycrdt import Doc, Text

signal.alarm(120)


class Notebook:
    def __init__(self):
        self.doc = Doc({"notes": Text(), "log": Text()}, allow_multithreading=True)
        self.notes, self.log = self.doc["notes"], self.doc["log"]
        self.notes.observe(self.on_change)

    def write_log(self, text):
        with self.doc.new_transaction():
            self.log += text

    def on_change(self, event):
        writer = threading.Thread(target=self.write_log, args=("changed\n",))
        writer.start()
        writer.join()

    def add_note(self, text):
        with self.doc.new_transaction():
            self.notes += text


if __name__ == "__main__":
    notebook = Notebook()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    notebook.add_note("buy tea\n")
