import threading


class Single(type):
    """Classes of which there is one object."""

    _made = {}
    _guard = threading.Lock()

    def __call__(cls, *args, **kwargs):
        found = Single._made.get(cls)
        if found is None:
            with Single._guard:
                found = Single._made.get(cls)
                if found is None:
                    found = super().__call__(*args, **kwargs)
                    Single._made[cls] = found
        return found
