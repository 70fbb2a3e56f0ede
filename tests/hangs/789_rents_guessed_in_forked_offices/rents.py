import lightgbm
import numpy


def train(rooms=4000):
    generator = numpy.random.default_rng(7)
    flats = generator.random((rooms, 6))
    rents = flats @ numpy.arange(6) + generator.random(rooms)
    return lightgbm.train(
        {"objective": "regression", "num_threads": 2, "verbose": -1},
        lightgbm.Dataset(flats, rents),
        num_boost_round=20,
    )


def guess(model, rooms):
    return float(model.predict(numpy.full((rooms, 6), 0.5)).mean())


def guess_from_text(text, rooms):
    return guess(lightgbm.Booster(model_str=text), rooms)
