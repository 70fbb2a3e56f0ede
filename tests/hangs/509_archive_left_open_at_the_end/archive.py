from isal import igzip_threaded


class Archive:
    def __init__(self, path):
        self.file = igzip_threaded.open(path, "wb", threads=2)

    def add(self, sender, text):
        self.file.write(("%s: %s\n" % (sender, text)).encode())

    def close(self):
        self.file.close()
