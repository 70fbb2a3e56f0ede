class Folder:
    def __init__(self, connection, path):
        self.connection = connection
        self.path = path
        self.entries = []
        self.open = True

    def read(self):
        for entry in self.connection.ask("list", self.path):
            self.entries.append(Entry(self, entry["name"]))
        return len(self.entries)

    def close(self):
        if self.open:
            self.open = False
            self.connection.ask("close", self.path)

    def __del__(self):
        self.close()


class Entry:
    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
