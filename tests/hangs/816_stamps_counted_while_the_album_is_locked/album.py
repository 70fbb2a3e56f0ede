from multiprocessing import Manager, Pool


class Album:
    def __init__(self):
        self.manager = Manager()
        self.pages = self.manager.dict()
        self.turn = self.manager.Lock()


def paste_stamp(job):
    pages, turn, stamp = job
    with turn:
        pages[stamp] = len(pages)


def fill_album(album, stamps):
    with Pool(2) as pool, album.turn:
        pool.map(paste_stamp, [(album.pages, album.turn, stamp) for stamp in stamps])
        return len(album.pages)
