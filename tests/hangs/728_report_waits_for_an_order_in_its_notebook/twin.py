import os
import signal

import nbformat
from nbclient import NotebookClient

signal.alarm(120)

CELLS = [
    "import time",
    "def next_order():\n    return time.monotonic()",
    "for _ in range(3000):\n    next_order()\n    time.sleep(0.02)",
]


def run_report(cells):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(notebook, timeout=None, kernel_name="python3")
    client.execute()
    return notebook


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_report(CELLS)
