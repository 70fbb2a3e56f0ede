import asyncio
import contextlib
import fcntl
import json
import os


class Register:
    def __init__(self, path):
        self.path = path
        self.index_lock = asyncio.Lock()
        self.index = {}

    @contextlib.asynccontextmanager
    async def locked_file(self):
        handle = await asyncio.to_thread(open, self.path, "a+")
        try:
            await asyncio.to_thread(fcntl.flock, handle, fcntl.LOCK_EX)
            yield handle
        finally:
            handle.close()

    async def baptise(self, name):
        async with self.locked_file() as handle:
            await asyncio.sleep(0.01)
            handle.write(json.dumps({"name": name}) + "\n")
            handle.flush()
            async with self.index_lock:
                self.index[name] = self.index.get(name, 0) + 1

    async def copy_out(self):
        async with self.locked_file() as handle:
            return await self._copy(handle)

    async def copy_out_indexed(self):
        async with self.index_lock:
            await asyncio.sleep(0.01)
            async with self.locked_file() as handle:
                return await self._copy(handle)

    async def _copy(self, handle):
        handle.seek(0)
        lines = await asyncio.to_thread(handle.readlines)
        if len(lines) > 500:
            os.truncate(self.path, 0)
        return len(lines)
