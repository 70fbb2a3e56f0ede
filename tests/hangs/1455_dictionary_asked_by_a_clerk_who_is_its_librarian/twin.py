import asyncio
import multiprocessing
import os
import tempfile
import time

import grpc


def pack(value):
    return repr(value).encode()


def unpack(data):
    return eval(data, {})


def call(channel, method):
    return channel.unary_unary(method, request_serializer=pack, response_deserializer=unpack)


def handler_of(service, methods):
    return grpc.method_handlers_generic_handler(
        service,
        {
            name: grpc.unary_unary_rpc_method_handler(method, unpack, pack)
            for name, method in methods.items()
        },
    )


class Embedder:
    """Makes vectors of texts; asks the tokenizer for pieces."""

    def __init__(self, tokenizer_at):
        self.words = {"the": 1, "cat": 2}
        if AWAITED:
            self.pieces = call(grpc.aio.insecure_channel(tokenizer_at), "/Tokenizer/Pieces")
        else:
            self.pieces = call(grpc.insecure_channel(tokenizer_at), "/Tokenizer/Pieces")

    async def embed(self, text, context):
        pieces = self.split(text)
        if AWAITED:
            pieces = await pieces
        return [piece * 0.5 for piece in pieces]

    def split(self, text):
        return self.pieces(text)

    async def vocabulary(self, version, context):
        return self.words


async def serve_embedder(address, tokenizer_at):
    server = grpc.aio.server()
    embedder = Embedder(tokenizer_at)
    methods = {"Embed": embedder.embed, "Vocabulary": embedder.vocabulary}
    server.add_generic_rpc_handlers((handler_of("Embedder", methods),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


class Tokenizer:
    def __init__(self, embedder_at):
        self.vocabulary = call(grpc.aio.insecure_channel(embedder_at), "/Embedder/Vocabulary")
        self.known = {"the": 1}

    async def pieces(self, text, context):
        words = text.split()
        if any(word not in self.known for word in words):
            self.known = {**await self.vocabulary(1), "": 0}
        return [self.known.get(word, 0) for word in words]


async def serve_tokenizer(address, embedder_at):
    server = grpc.aio.server()
    tokenizer = Tokenizer(embedder_at)
    server.add_generic_rpc_handlers((handler_of("Tokenizer", {"Pieces": tokenizer.pieces}),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


def run(serve, address, other):
    asyncio.run(serve(address, other))


def index_all(embedder_at):
    embed = call(grpc.insecure_channel(embedder_at), "/Embedder/Embed")
    embed("the", wait_for_ready=True)
    while True:
        for text in ("the the", "the cat"):
            embed(text)
            time.sleep(0.01)


def main():
    spawn = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="vectors-")
    embedder_at, tokenizer_at = ["unix:%s/%s" % (folder, name) for name in ("embed", "split")]
    for name, args in (
        ("tokenizer", (serve_tokenizer, tokenizer_at, embedder_at)),
        ("embedder", (serve_embedder, embedder_at, tokenizer_at)),
    ):
        spawn.Process(target=run, args=args, name=name, daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    index_all(embedder_at)


AWAITED = True


if __name__ == "__main__":
    main()
