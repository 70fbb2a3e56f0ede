class Letters:
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as file:
            for line in file:
                yield line.lower().split()


def write_letters(file):
    for number in range(3000):
        print("dear ann the harbour is full of ships and letter %d" % number, file=file)
        print("the lighthouse keeper of the harbour sends his regards", file=file)
    file.flush()
