import fcntl


def locked(path):
    book = open(path + ".lock", "w")
    fcntl.flock(book, fcntl.LOCK_EX)
    return book


def build_index(path):
    with locked(path):
        with open(path) as lines:
            index = {line.split()[0]: number for number, line in enumerate(lines)}
    return len(index)
