import time


def ask(line, basin, wanted):
    line.send((basin, wanted))
    return line.recv()


def regulate(levels, line, under_lock):
    basin = 0
    while True:
        basin = (basin + 1) % len(levels)
        if under_lock:
            with levels.get_lock():
                levels[basin] += ask(line, basin, 5)
        else:
            granted = ask(line, basin, 5)
            with levels.get_lock():
                levels[basin] += granted
        time.sleep(0.1)


def pump(strokes):
    while True:
        with strokes.get_lock():
            strokes.value += 1
        time.sleep(0.05)
