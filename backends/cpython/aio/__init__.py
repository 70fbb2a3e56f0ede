"""Tasks of asyncio: where they stand, what they await, which of asyncio's locks they hold."""
