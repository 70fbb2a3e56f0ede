import asyncio
import os

from gazette.plan import Office

AT_ONCE = 1


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


async def main():
    await Office(3, AT_ONCE).run(ready)


if __name__ == "__main__":
    asyncio.run(main())
