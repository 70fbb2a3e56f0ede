rates = {}


def read_rates(day):
    from shop.rates import rate_of

    base = {"EUR": 1.0, "USD": 1.1}
    base["GBP"] = base["USD"] * rate_of("EUR")
    return base
