"""A session of SQLAlchemy that a generator gives away, as web frameworks do it."""

from contextlib import contextmanager

import sqlalchemy
from sqlalchemy.orm import Session


def taking(size):
    kind = sqlalchemy.pool.QueuePool
    engine = sqlalchemy.create_engine(
        "sqlite://",
        poolclass=kind,
        pool_size=size - 1,
        max_overflow=1,
        pool_timeout=600,
        connect_args={"check_same_thread": False},
    )

    @contextmanager
    def get_session():
        session = Session(engine)
        session.execute(sqlalchemy.text("select 1"))
        try:
            yield session
        finally:
            session.close()

    return get_session
