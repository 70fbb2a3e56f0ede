import asyncio
import os
import tempfile

from parish.office import Office
from parish.store import Register

INDEXED = True


async def main():
    with tempfile.TemporaryDirectory() as folder:
        register = Register(os.path.join(folder, "register.jsonl"))
        copy = register.copy_out_indexed if INDEXED else register.copy_out
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await Office(register, copy).week()


if __name__ == "__main__":
    asyncio.run(main())
