import asyncio

from library_desk.reader import main

if __name__ == "__main__":
    asyncio.run(main(now=True, slow=0))
