import asyncio
import os

import coredis

from loft.post import Loft, Weathercock
from loft.store import open_store

CONNECTIONS = 2


async def main():
    pool = coredis.ConnectionPool(
        connection_class=coredis.connection.UnixDomainSocketConnection,
        location=coredis.connection.UnixDomainSocketLocation(open_store()),
        max_connections=CONNECTIONS,
        timeout=None,
    )
    client = coredis.Redis(connection_pool=pool)
    async with client:
        loft = Loft(client)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        async with asyncio.TaskGroup() as group:
            group.create_task(loft.fetch(), name="fetch")
            group.create_task(loft.write(), name="write")
            group.create_task(Weathercock().turn(), name="weathercock")


if __name__ == "__main__":
    asyncio.run(main())
