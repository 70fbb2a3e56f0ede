import os

from river.channel import Channel
from river.streams import Delta, Gauge, Stream

if __name__ == "__main__":
    channel = Channel(room=6)
    springs = [40, 0, 25]
    streams = [
        Stream(number, springs[number], channel.mouth(), careful=False) for number in range(3)
    ]
    gauge = Gauge(channel)
    gauge.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for stream in streams:
        stream.start()
    delta = Delta(channel)
    delta.gather()
    delta.rest()
