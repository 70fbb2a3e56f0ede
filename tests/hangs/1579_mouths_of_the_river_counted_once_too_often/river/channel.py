import collections
import threading


class Mouth:
    def __init__(self, channel):
        self.channel = channel
        self.is_open = True

    def pour(self, water):
        with self.channel.moved:
            while len(self.channel.water) >= self.channel.room:
                self.channel.moved.wait()
            self.channel.water.append(water)
            self.channel.moved.notify_all()

    def close(self):
        with self.channel.moved:
            if self.is_open:
                self.is_open = False
                self.channel.mouths -= 1
                self.channel.moved.notify_all()


class Channel:
    def __init__(self, room):
        self.room = room
        self.water = collections.deque()
        self.mouths = 0
        self.moved = threading.Condition()

    def mouth(self):
        with self.moved:
            self.mouths += 1
        return Mouth(self)

    def take(self):
        with self.moved:
            while not self.water:
                if not self.mouths:
                    raise EOFError
                self.moved.wait()
            water = self.water.popleft()
            self.moved.notify_all()
            return water
