import os
import sys
import tempfile

from jupyter_client.manager import KernelManager

CELLS = """
import time
from jupyter_client import BlockingKernelClient

class Notes:
    def __init__(self, connection_file):
        self.client = BlockingKernelClient(connection_file=connection_file)
        self.client.load_connection_file()
        self.client.start_channels()
        time.sleep(2)

    def put(self, line):
        return self.client.execute_interactive("noted = %r" % line, output_hook=print)

def fill_table(notes, rows):
    return [row * 2 for row in range(rows) if notes.put("row %d" % row)]
"""


def start_kernel(folder, name):
    manager = KernelManager(connection_file=os.path.join(folder, name + ".json"))
    manager.start_kernel()
    return manager


def run_cell(client, code):
    return client.execute_interactive(code, output_hook=lambda message: None)


def main():
    folder = tempfile.mkdtemp(prefix="kernels-")
    first, second = [start_kernel(folder, name) for name in ("first", "second")]
    client = first.blocking_client()
    client.start_channels()
    client.wait_for_ready()
    other = second.blocking_client()
    other.start_channels()
    other.wait_for_ready()
    other.stop_channels()
    noted = first if ITSELF else second
    run_cell(client, CELLS)
    run_cell(client, "notes = Notes(%r)" % noted.connection_file)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        run_cell(client, "table = fill_table(notes, 20)")


ITSELF = False


if __name__ == "__main__":
    sys.exit(main())
