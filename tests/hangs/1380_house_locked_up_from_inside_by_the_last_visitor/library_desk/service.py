import asyncio

import grpc

from library_desk.codec import decode, encode


class Desk:
    def __init__(self, server, slow):
        self.server = server
        self.slow = slow
        self.loans = {}

    async def lend(self, request, context):
        self.loans[request["book"]] = request["reader"]
        await asyncio.sleep(self.slow)
        return {"loans": len(self.loans)}

    async def close(self, request, context):
        if request["now"]:
            await self.server.stop(request["patience"])
        else:
            await asyncio.sleep(self.slow)
        return {"closed": True}

    def handlers(self):
        def unary(call):
            return grpc.unary_unary_rpc_method_handler(call, decode, encode)

        return grpc.method_handlers_generic_handler(
            "desk.Desk", {"Lend": unary(self.lend), "Close": unary(self.close)}
        )
