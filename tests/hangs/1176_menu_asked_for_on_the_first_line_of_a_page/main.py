import os
import pathlib
import sys
import tempfile
import time

from mako.lookup import TemplateLookup

MENU = "% for name in names:\n<li>${name}</li>\n% endfor\n"
EAGER = """<%!
import shop
menu = shop.SITE.part("menu.mako")
%>
${menu}
<h1>${title}</h1>
"""
LAZY = """<%
import shop
menu = shop.SITE.part("menu.mako")
%>
${menu}
<h1>${title}</h1>
"""


class Site:
    def __init__(self, folder, page):
        self.folder = pathlib.Path(folder)
        (self.folder / "menu.mako").write_text(MENU)
        (self.folder / "page.mako").write_text(page)
        self.lookup = TemplateLookup(directories=[folder])
        self.names = ["bread", "cheese"]

    def part(self, name):
        return self.lookup.get_template(name).render(names=self.names)

    def page(self, title):
        return self.lookup.get_template("page.mako").render(title=title)


def serve(site):
    served = 0
    while True:
        site.page("order %d" % served)
        served += 1
        time.sleep(0.05)


PAGE = EAGER


if __name__ == "__main__":
    sys.modules["shop"] = sys.modules["__main__"]
    with tempfile.TemporaryDirectory() as folder:
        SITE = Site(folder, PAGE)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        serve(SITE)
