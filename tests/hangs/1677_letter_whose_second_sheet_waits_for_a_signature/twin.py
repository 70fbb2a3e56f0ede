import asyncio
import os
import socket
import subprocess
import sys

from courier import Courier, weather

WAITS = False


async def main(port):
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.Popen([sys.executable, "-u", os.path.join(here, "office.py"), str(port)])
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            await asyncio.sleep(0.1)
    courier = Courier("http://127.0.0.1:%d" % port, WAITS)
    await asyncio.gather(
        asyncio.create_task(courier.rounds(), name="rounds"),
        asyncio.create_task(weather(), name="weather"),
    )


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main(port))
