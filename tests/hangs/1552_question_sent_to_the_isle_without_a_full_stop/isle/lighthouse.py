import asyncio

from aioquic.asyncio import serve
from aioquic.quic.configuration import QuicConfiguration

from isle.wire import HOURS, papers


async def answer(reader, writer):
    asked = (await reader.read()).decode().strip()
    writer.write(b"calm sea, " + asked.encode())
    writer.write_eof()


async def main():
    place = papers()
    settings = QuicConfiguration(is_client=False, alpn_protocols=["isle"], idle_timeout=HOURS)
    settings.load_cert_chain(place / "cert.pem", place / "key.pem")
    going = set()

    def take(reader, writer):
        going.add(asyncio.ensure_future(answer(reader, writer)))

    server = await serve("127.0.0.1", 0, configuration=settings, stream_handler=take)
    print(server._transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
