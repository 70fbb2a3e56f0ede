import queue

from flask import Flask, Response

app = Flask(__name__)
readers = []


@app.get("/bulletins")
def bulletins():
    mine = queue.Queue()
    readers.append(mine)

    def lines():
        while True:
            text = mine.get()
            if text is None:
                return
            yield "data: %s\n\n" % text

    return Response(lines(), mimetype="text/event-stream")


@app.post("/pin/<text>")
def pin(text):
    for reader in readers:
        reader.put(text)
    return "pinned"
