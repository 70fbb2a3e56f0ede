import sqlite3

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver


class Archive:
    def __init__(self):
        self.saver = SqliteSaver(sqlite3.connect(":memory:", check_same_thread=False))

    def keep_talk(self, guest):
        config = {"configurable": {"thread_id": guest, "checkpoint_ns": ""}}
        self.saver.put(config, empty_checkpoint(), {"source": "input", "step": 1}, {})

    def talks_of(self, guest):
        config = {"configurable": {"thread_id": guest}}
        found = []
        for talk in self.saver.list(config):
            found.append(self.saver.get_tuple(talk.config))
        return found
