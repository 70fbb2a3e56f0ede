import os

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text


class Library:
    def __init__(self, folder):
        self.address = "sqlite:///%s/library.db" % folder
        self.engine = create_engine(self.address)
        with self.engine.begin() as shelves:
            shelves.execute(text("create table book (title text)"))

    def rebuild(self):
        settings = Config()
        here = os.path.dirname(os.path.abspath(__file__))
        settings.set_main_option("script_location", os.path.join(here, "migrations"))
        settings.set_main_option("sqlalchemy.url", self.address)
        command.upgrade(settings, "head")

    def open(self):
        with self.engine.begin() as shelves:
            shelves.execute(text("insert into book values ('a song')"))
            self.rebuild()
