import time


def lay(wall, stones, told):
    """Runs in a process of the pool."""
    for stone in range(stones):
        time.sleep(0.003)
        told.put((wall, stone))
    return wall, stones
