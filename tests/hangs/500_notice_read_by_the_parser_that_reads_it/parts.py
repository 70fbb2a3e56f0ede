from lxml import etree

PARTS = {"closing": b"<part><text>Your library</text></part>"}


class Parts(etree.Resolver):
    def __init__(self, parser):
        self.parser = parser

    def resolve(self, url, name, context):
        kind, _, key = url.partition(":")
        if kind != "part":
            return None
        part = etree.fromstring(PARTS[key], self.parser)
        return self.resolve_string(part.findtext("text"), context)
