def load_region(name):
    from settings import LANGUAGE

    return name, LANGUAGE
