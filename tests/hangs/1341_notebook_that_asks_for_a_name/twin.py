import os

from jupyter_client.manager import start_new_kernel

SETUP = """
import time

def choose_name(number, asks):
    if asks and number == 5:
        return input("name of the series: ")
    time.sleep(0.05)
    return "series %d" % number
"""


class Notebook:
    def __init__(self):
        self.manager, self.client = start_new_kernel()
        self.outputs = []

    def run_cell(self, code):
        request = self.client.execute(code, allow_stdin=True)
        while True:
            reply = self.client.get_shell_msg()
            if reply["parent_header"].get("msg_id") == request:
                return reply["content"]["status"]

    def collect(self):
        while self.client.iopub_channel.msg_ready():
            message = self.client.get_iopub_msg()
            if message["msg_type"] == "stream":
                self.outputs.append(message["content"]["text"])


def publish(notebook):
    number = 0
    while True:
        notebook.run_cell("print(choose_name(%d, %r))" % (number % 8, ASKS))
        notebook.collect()
        number += 1


def main():
    notebook = Notebook()
    notebook.run_cell(SETUP)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    publish(notebook)


ASKS = False


if __name__ == "__main__":
    main()
