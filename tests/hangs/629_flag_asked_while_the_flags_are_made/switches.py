import ldclient
from ldclient import Context

SHOP = Context.builder("shop-7").kind("shop").build()


def is_enabled(flag):
    return ldclient.get().variation(flag, SHOP, False)
