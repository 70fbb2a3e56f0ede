import os
import signal
import socket

import cherrypy
import requests

signal.alarm(120)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


class Shop:
    @cherrypy.expose
    def index(self):
        cherrypy.session["visits"] = 1
        return "welcome"

    @cherrypy.expose
    def numbers(self):
        return str(cherrypy.session.get("visits"))

    @cherrypy.expose
    def dashboard(self):
        cookies = {name: one.value for name, one in cherrypy.request.cookie.items()}
        return requests.get(f"{address}/numbers", cookies=cookies).text


def open_dashboard():
    with requests.Session() as browser:
        browser.get(f"{address}/")
        return browser.get(f"{address}/dashboard").text


if __name__ == "__main__":
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    cherrypy.config.update({"server.socket_port": port, "log.screen": False})
    cherrypy.tree.mount(Shop(), config={"/": {"tools.sessions.on": True}})
    cherrypy.engine.start()
    print("MARK main pid=%d" % os.getpid())
    open_dashboard()
