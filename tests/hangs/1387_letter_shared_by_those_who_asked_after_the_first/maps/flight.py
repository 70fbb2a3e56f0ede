import asyncio


class SharedCalls:
    def __init__(self):
        self.running = {}
        self.shared = 0

    async def call(self, key, function):
        if key in self.running:
            self.shared += 1
            return await self.running[key]
        result = self.running[key] = asyncio.get_running_loop().create_future()
        try:
            value = await function(key)
        except Exception as error:
            self.running.pop(key)
            result.set_exception(error)
            raise
        self.running.pop(key)
        result.set_result(value)
        return value
