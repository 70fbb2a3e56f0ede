"""AsyncEngine.connect of SQLAlchemy."""

import sqlalchemy
from sqlalchemy.ext.asyncio import create_async_engine


async def taking_async(size):
    kind = sqlalchemy.pool.AsyncAdaptedQueuePool
    engine = create_async_engine(
        "sqlite+aiosqlite://", poolclass=kind, pool_size=size, max_overflow=0, pool_timeout=600
    )
    return engine.connect
