import asyncio
import os
import subprocess
import sys

from bakery import Counter, bakery, count_sales

CUSTOMERS = 40


async def main():
    counter = Counter()
    app = bakery(counter)
    server = asyncio.create_task(app.start_server("127.0.0.1", PORT), name="shop")
    sales = asyncio.create_task(count_sales(counter), name="sales")
    await asyncio.sleep(0.5)
    street = os.path.join(os.path.dirname(os.path.abspath(__file__)), "street.py")
    subprocess.Popen([sys.executable, "-u", street, str(PORT), str(CUSTOMERS)])
    await asyncio.gather(server, sales)


if __name__ == "__main__":
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        PORT = probe.getsockname()[1]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
