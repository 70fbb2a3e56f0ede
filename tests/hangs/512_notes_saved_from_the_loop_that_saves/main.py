import asyncio
import os
import signal
import tempfile

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

signal.alarm(120)


class Notebook:
    def __init__(self, saver):
        self.saver = saver
        self.place = {"configurable": {"thread_id": "garden", "checkpoint_ns": ""}}
        self.place["configurable"]["checkpoint_id"] = "1"

    def keep(self, note):
        self.saver.put_writes(self.place, [("notes", note)], note)


async def walk_round(saver, notes):
    notebook = Notebook(saver)
    for note in notes:
        await asyncio.sleep(0.1)
        notebook.keep(note)


async def visit_garden():
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncSqliteSaver.from_conn_string(folder + "/notes.db") as saver:
            await saver.setup()
            await walk_round(saver, ["roses", "weeds"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(visit_garden())
