from sqlalchemy import String, func, select
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.pool import AsyncAdaptedQueuePool


class Base(DeclarativeBase):
    pass


class Bottle(Base):
    __tablename__ = "bottle"
    id: Mapped[int] = mapped_column(primary_key=True)
    grape: Mapped[str] = mapped_column(String(40))


class Audit:
    def __init__(self, sessions):
        self.sessions = sessions
        self.seen = 0

    async def bottles(self):
        async with self.sessions() as session:
            return await session.scalar(select(func.count(Bottle.id)))

    async def check(self, expected):
        self.seen = await self.bottles()
        return self.seen >= expected


class Cellar:
    def __init__(self, path, books):
        self.engine = create_async_engine(
            "sqlite+aiosqlite:///" + path,
            poolclass=AsyncAdaptedQueuePool,
            pool_size=books,
            max_overflow=0,
            pool_timeout=None,
        )
        self.sessions = async_sessionmaker(self.engine, expire_on_commit=False)
        self.audit = Audit(self.sessions)
        self.stored = 0

    async def build(self):
        async with self.engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)

    async def store(self, grape):
        async with self.sessions() as session:
            session.add(Bottle(grape=grape))
            await session.flush()
            await session.commit()
            self.stored = await session.scalar(select(func.count(Bottle.id)))
            await self.audit.check(self.stored)
