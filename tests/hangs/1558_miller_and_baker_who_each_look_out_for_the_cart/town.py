import time


def mill(ctx):
    """Grinds once the baker has sent his sacks."""
    state = ctx.create_state()
    for _ in state.when_truthy("sacks"):
        for sack in range(5):
            time.sleep(0.1)
            state["flour"] = sack + 1


def bakery(ctx, early):
    """Bakes once there is flour, and sends the sacks back."""
    state = ctx.create_state()
    if early:
        state["sacks"] = 5
    for found in state.when_truthy("flour"):
        state["bread"] = found["flour"] * 3
        state["sacks"] = 5


def brook(ctx):
    state = ctx.create_state()
    level = 0
    while True:
        time.sleep(0.4)
        level += 1
        state["water"] = level % 8


def market(state):
    """The first bread of the day, and then all that comes."""
    sold = []
    for found in state.when_change("bread"):
        sold.append(found["bread"])
