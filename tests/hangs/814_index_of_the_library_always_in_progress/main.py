import os
import signal

from openai import OpenAI

from library import open_library

signal.alarm(120)


class Reader:
    def __init__(self, port):
        self.client = OpenAI(api_key="none", base_url=f"http://127.0.0.1:{port}/v1")

    def index_books(self, files):
        return self.client.vector_stores.file_batches.create_and_poll(
            "vs_1", file_ids=files, poll_interval_ms=500
        )


def main():
    server = open_library(ready_after=10**9)
    Reader(server.server_port).index_books(["file_1"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
