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


advisor = Advisor()


def application(environ, start_response):
    body = json.dumps({"score": advisor.score(20000)}).encode()
    start_response("200 OK", [("Content-Type", "application/json")])
    return [body]
