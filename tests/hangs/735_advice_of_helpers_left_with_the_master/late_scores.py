import json

import lightgbm
import numpy


class Advisor:
    def __init__(self):
        goods = numpy.random.rand(20000, 10)
        table = lightgbm.Dataset(goods, goods.sum(axis=1))
        self.model = lightgbm.train({"verbose": -1, "num_threads": 2}, table, 10)
        self.model.predict(goods)

    def score(self, pieces):
        return float(self.model.predict(numpy.random.rand(pieces, 10)).mean())


advisors = []


def application(environ, start_response):
    if not advisors:
        advisors.append(Advisor())
    body = json.dumps({"score": advisors[0].score(20000)}).encode()
    start_response("200 OK", [("Content-Type", "application/json")])
    return [body]
