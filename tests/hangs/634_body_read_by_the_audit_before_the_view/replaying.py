import hashlib


class Audit:
    def __init__(self, app):
        self.app = app
        self.seen = []

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        message = await receive()
        self.seen = [hashlib.sha256(message.get("body", b"")).hexdigest()]
        first = [message]

        async def replay():
            return first.pop() if first else await receive()

        await self.app(scope, replay, send)
