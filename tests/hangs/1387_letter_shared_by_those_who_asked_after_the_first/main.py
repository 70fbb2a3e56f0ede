import asyncio
import logging

from maps.tiles import main

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main(patience=0.6, pace=2))
