import asyncio
import os

from sdbus import (
    DbusInterfaceCommonAsync,
    dbus_method_async,
    request_default_bus_name_async,
    sd_bus_open_user,
    set_default_bus,
)

NAME = "org.example.Stove"
PATH = "/org/example/Stove"


class Stove(DbusInterfaceCommonAsync, interface_name="org.example.Stove1"):
    def __init__(self):
        super().__init__()
        self.level = 18.0

    @dbus_method_async(result_signature="d")
    async def warmth(self) -> float:
        return self.level

    @dbus_method_async("d", result_signature="d")
    async def burn(self, wood: float) -> float:
        self.level = min(self.level + wood, 24.0)
        return self.level


async def serve():
    set_default_bus(sd_bus_open_user())
    stove = Stove()
    stove.export_to_dbus(PATH)
    await request_default_bus_name_async(NAME)
    print("lit", os.getpid(), flush=True)
    while True:
        await asyncio.sleep(1)
        stove.level = max(stove.level - 0.5, 15.0)


if __name__ == "__main__":
    asyncio.run(serve())
