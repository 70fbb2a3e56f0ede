"""Engine.connect of SQLAlchemy."""

import sqlalchemy


def taking(size):
    kind = sqlalchemy.pool.QueuePool
    engine = sqlalchemy.create_engine(
        "sqlite://",
        poolclass=kind,
        pool_size=size,
        max_overflow=0,
        pool_timeout=600,
        connect_args={"check_same_thread": False},
    )
    return engine.connect
