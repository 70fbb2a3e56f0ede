import asyncio
import os
import signal
import sys
import tempfile
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)

folder = tempfile.TemporaryDirectory()
engine = create_async_engine(
    "sqlite+aiosqlite:///%s/shop.db" % folder.name,
    pool_size=4,
    max_overflow=0,
    pool_timeout=None,
)
sessions = async_sessionmaker(engine)
app = FastAPI()


async def get_user():
    async with sessions() as session:
        await session.execute(text("select 'ann'"))
        await asyncio.sleep(0.5)
        yield "ann"


async def get_session():
    async with sessions() as session:
        yield session


@app.get("/news")
async def list_orders(
    user: Annotated[str, Depends(get_user)],
    session: Annotated[AsyncSession, Depends(get_session)],
):
    return (await session.execute(text("select 1"))).scalars().all()


async def serve():
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    serving = asyncio.create_task(server.serve(), name="serving")
    while not server.started:
        await asyncio.sleep(0.05)
    for _ in range(2):
        start("poll_client", server.servers[0].sockets[0].getsockname()[1])
    print("MARK main pid=%d" % os.getpid())
    await serving


if __name__ == "__main__":
    asyncio.run(serve())
