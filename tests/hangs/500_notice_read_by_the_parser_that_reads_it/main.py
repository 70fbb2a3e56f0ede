import os
import signal

from lxml import etree

from parts import Parts

signal.alarm(120)

NOTICE = b"""<!DOCTYPE notice [<!ENTITY closing SYSTEM "part:closing">]>
<notice><line>Bring your books back by friday.</line><line>&closing;</line></notice>"""


def read_notice(text):
    parser = etree.XMLParser(load_dtd=True, resolve_entities=True)
    parser.resolvers.add(Parts(parser))
    return ["".join(line.itertext()) for line in etree.fromstring(text, parser)]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print("\n".join(read_notice(NOTICE)))
