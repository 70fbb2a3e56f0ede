"""A thread goes over a generator that keeps the only connection of a pool of SQLAlchemy's, and asks
for another one in the loop."""

import sqlalchemy
from ready import ready

ENGINE = sqlalchemy.create_engine(
    "sqlite://",
    poolclass=sqlalchemy.pool.QueuePool,
    pool_size=1,
    max_overflow=0,
    pool_timeout=None,
)


def parts(rows):
    for row in rows:
        yield row


def rows_read():
    connection = ENGINE.connect()
    for number in range(3):
        yield connection.execute(sqlalchemy.text("SELECT %d" % number)).scalar()
    connection.close()


def copy_rows():
    for number in parts(rows_read()):
        ready()
        with ENGINE.connect() as connection:  # asks
            connection.execute(sqlalchemy.text("SELECT %d" % number))


copy_rows()
