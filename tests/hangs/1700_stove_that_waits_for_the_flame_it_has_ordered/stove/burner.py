import threading

from statemachine import State, StateMachine


class Burner(StateMachine):
    cold = State(initial=True)
    priming = State()
    burning = State()

    prime = cold.to(priming)
    ignite = priming.to(burning)
    rest = burning.to(cold)

    def __init__(self, patient):
        self.flame = threading.Event()
        self.patient = patient
        self.lit = 0
        super().__init__()

    def on_enter_priming(self):
        self.flame.clear()
        self.send("ignite")
        if self.patient:
            self.flame.wait()

    def on_enter_burning(self):
        self.lit += 1
        self.flame.set()
