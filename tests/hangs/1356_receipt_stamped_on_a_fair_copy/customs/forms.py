import threading
from dataclasses import dataclass, field, replace


@dataclass
class Declaration:
    owner: str
    goods: str
    value: int
    duty: int = 0
    stamped: threading.Event = field(default_factory=threading.Event, init=False)


def assessed(form):
    """The form with its duty; what is free stays as it is."""
    if form.value < 100:
        return form
    return replace(form, duty=form.value // 10)
