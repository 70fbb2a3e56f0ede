import asyncio

from rental.season import main

if __name__ == "__main__":
    asyncio.run(main(impatient=False, length=60))
