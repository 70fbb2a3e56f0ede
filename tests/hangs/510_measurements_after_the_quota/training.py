from tensorboardX import SummaryWriter


class Training:
    def __init__(self, folder):
        self.writer = SummaryWriter(folder)
        self.weight = 1.0

    def step(self, number):
        self.weight *= 0.99
        self.writer.add_scalar("weight", self.weight, number)

    def finish(self):
        self.writer.close()
