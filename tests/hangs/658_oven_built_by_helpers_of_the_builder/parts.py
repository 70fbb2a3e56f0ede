from concurrent.futures import ThreadPoolExecutor

from injector import Injector, Module, provider, singleton


class Thermometer:
    def __init__(self, place):
        self.place = place


class Burner:
    def __init__(self, thermometer):
        self.thermometer = thermometer


class Oven:
    def __init__(self, burners):
        self.burners = burners


class Parts(Module):
    @singleton
    @provider
    def thermometer(self) -> Thermometer:
        return Thermometer("door")

    @singleton
    @provider
    def oven(self, injector: Injector) -> Oven:
        with ThreadPoolExecutor(2, thread_name_prefix="fitter") as fitters:
            fitted = [fitters.submit(fit_burner, injector) for _ in range(2)]
            return Oven([burner.result() for burner in fitted])


def fit_burner(injector):
    return Burner(injector.get(Thermometer))
