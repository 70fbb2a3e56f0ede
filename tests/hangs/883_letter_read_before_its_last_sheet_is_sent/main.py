import asyncio
import os

from quart import Quart, request

APP = Quart(__name__)
APP.config.update(BODY_TIMEOUT=None, RESPONSE_TIMEOUT=None)
FILED = {}


@APP.post("/letters/<sender>")
async def file_letter(sender):
    text = await request.get_data(as_text=True)
    FILED[sender] = text
    return {"filed": len(text)}


class Postbox:
    def __init__(self, app):
        self.client = app.test_client()

    async def hand_in(self, sender, sheets):
        async with self.client.request(f"/letters/{sender}", method="POST") as connection:
            for sheet in sheets:
                await connection.send(sheet.encode())
            if SEALED:
                await connection.send_complete()
            receipt = await connection.receive()
            await connection.send_complete()
        return receipt

    async def empty(self, letters):
        return [await self.hand_in(sender, sheets) for sender, sheets in letters.items()]


SEALED = False


async def main():
    box = Postbox(APP)
    letters = {"ida": ["Dear aunt,", "thank you.", "Ida"], "jon": ["Hello,", "Jon"]}
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await box.empty(letters)
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
