#!/usr/bin/env python3
import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


def answer(request):
    say(
        type="control_response",
        response={"subtype": "success", "request_id": request["request_id"], "response": {}},
    )


def tell(lines):
    for number in range(lines):
        text = [{"type": "text", "text": "line %d" % number}]
        say(
            type="assistant",
            message={"role": "assistant", "model": "stub", "content": text},
            parent_tool_use_id=None,
            session_id="s",
        )


def finish():
    say(
        type="result",
        subtype="success",
        duration_ms=1,
        duration_api_ms=1,
        is_error=False,
        num_turns=1,
        session_id="s",
        result="done",
    )


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "control_request":
        answer(message)
        if message["request"]["subtype"] == "interrupt":
            finish()
    elif message["type"] == "user":
        tell(400)
