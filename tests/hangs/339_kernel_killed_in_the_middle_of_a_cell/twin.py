import os
import signal

from jupyter_client import KernelManager

signal.alarm(120)
CELL = "import time; time.sleep(0.5)"


def start_notebook():
    manager = KernelManager()
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    return manager, client


def run_cell(client, code):
    wanted = client.execute(code)
    while True:
        reply = client.get_shell_msg()
        if reply["parent_header"].get("msg_id") == wanted:
            return reply["content"]["status"]


if __name__ == "__main__":
    manager, client = start_notebook()
    run_cell(client, "x = 1")
    print("MARK main pid=%d" % os.getpid())
    while True:
        run_cell(client, CELL)
