from peewee import AutoField, Model, TextField
from playhouse.sqliteq import SqliteQueueDatabase

database = SqliteQueueDatabase(None, autostart=False)


class Order(Model):
    number = AutoField()
    customer = TextField()

    class Meta:
        database = database
