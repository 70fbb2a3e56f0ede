import asyncio

from rental.season import main

if __name__ == "__main__":
    asyncio.run(main(impatient=True, length=0.3))
