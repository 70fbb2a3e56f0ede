class Reader:
    def __init__(self, archive, keeps):
        self.archive = archive
        self.keeps = keeps
        self.bookmark = None

    def look(self, wanted):
        pages = self.archive.pages()
        for title in pages:
            if title == wanted:
                break
        if self.keeps:
            self.bookmark = pages
        else:
            pages.close()
        return wanted
