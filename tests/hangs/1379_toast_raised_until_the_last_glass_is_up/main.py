import asyncio

from banquet.evening import main

if __name__ == "__main__":
    asyncio.run(main(host_raises=False, slow=0))
