def bake(minutes):
    if minutes > 40:
        raise ValueError("burnt")
    return minutes


def ice(colour):
    return colour
