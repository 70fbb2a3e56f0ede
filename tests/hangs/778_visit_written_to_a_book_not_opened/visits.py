from peewee import CharField, Model
from playhouse.sqliteq import SqliteQueueDatabase

book = SqliteQueueDatabase(None, autostart=False, queue_max_size=64)


class Visit(Model):
    guest = CharField()

    class Meta:
        database = book


def open_book(path):
    book.init(path, pragmas={"journal_mode": "wal"})
    book.start()
    book.create_tables([Visit])
    return book


def note_visit(guest):
    return Visit.create(guest=guest).id
