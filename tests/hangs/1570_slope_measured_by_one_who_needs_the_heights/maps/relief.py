import numpy
import tensorstore


class Relief:
    def __init__(self, below, above):
        box = tensorstore.IndexDomain(shape=[64, 64])
        self.heights = tensorstore.virtual_chunked(
            self.survey, dtype=tensorstore.float32, domain=box, context=below
        )
        self.steepness = tensorstore.virtual_chunked(
            self.slopes, dtype=tensorstore.float32, domain=box, context=above
        )
        self.read = 0

    def survey(self, domain, array, params):
        self.read += 1
        array[...] = self.read % 9

    def slopes(self, domain, array, params):
        heights = self.heights[domain].read().result()
        array[...] = numpy.abs(heights - heights.mean())
