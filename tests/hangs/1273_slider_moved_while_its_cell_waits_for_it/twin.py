import os
import time

from jupyter_client.manager import start_new_kernel

SETUP = """
import threading
from ipykernel.comm import Comm

class Slider:
    def __init__(self):
        self.value = 0
        self.moved = threading.Event()
        self.comm = Comm(target_name="slider")
        self.comm.on_msg(self.on_move)

    def on_move(self, message):
        self.value = message["content"]["data"]["value"]
        self.moved.set()

slider = Slider()

def ask_threshold():
    slider.moved.wait()
    slider.moved.clear()
    return slider.value
"""


def run_cell(client, code, moves=None, comm=None):
    client.allow_stdin = False
    asked = client.execute(code)
    for move in moves or ():
        time.sleep(0.2)
        content = {"comm_id": comm, "data": {"value": move}}
        client.shell_channel.send(client.session.msg("comm_msg", content))
    while True:
        reply = client.get_shell_msg()
        if reply["parent_header"].get("msg_id") == asked:
            return reply["content"]


def find_comm(client):
    while True:
        message = client.get_iopub_msg(timeout=20)
        if message["msg_type"] == "comm_open":
            return message["content"]["comm_id"]


def main():
    _manager, client = start_new_kernel()
    run_cell(client, SETUP)
    comm = find_comm(client)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        if BLOCKS:
            run_cell(client, "ask_threshold()", [3], comm)
        else:
            run_cell(client, "slider.value", [3], comm)


BLOCKS = False


if __name__ == "__main__":
    main()
