import asyncio

from hall import Hall


class QuietHall(Hall):
    async def close(self):
        async with self.door:
            visits = list(self.waiting.values())
            self.waiting.clear()
            for visit in visits:
                visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
