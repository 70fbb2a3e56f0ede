import asyncio
import os

from bank.ledger import Ledger
from bank.tellers import Auditor, Teller

UNDER_LOCK = False


async def main():
    ledger = Ledger(200)
    auditor = Auditor(ledger, UNDER_LOCK)
    tasks = [asyncio.create_task(Teller(ledger, n).work(), name="teller-%d" % n) for n in range(2)]
    tasks.append(asyncio.create_task(auditor.work(), name="auditor"))
    tasks.append(asyncio.create_task(ledger.dry_ink(), name="ink"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
