import os
import signal

import nbformat
from nbclient import NotebookClient

signal.alarm(120)

CELLS = [
    "import queue\norders = queue.Queue()",
    "def next_order():\n    return orders.get()",
    "order = next_order()",
]


def run_report(cells):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(notebook, timeout=None, kernel_name="python3")
    client.execute()
    return notebook


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_report(CELLS)
