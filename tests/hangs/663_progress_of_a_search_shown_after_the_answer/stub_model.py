from agents import Model
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)


def call():
    return ResponseFunctionToolCall(
        id="f1",
        type="function_call",
        call_id="c1",
        name="search_archive",
        arguments='{"topic": "bridge"}',
    )


def answer():
    text = ResponseOutputText(text="Two letters.", type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="m1", type="message", role="assistant", content=[text], status="completed"
    )


class Archivist(Model):
    async def get_response(self, *arguments, **more):
        raise NotImplementedError

    async def stream_response(self, instructions, asked, *arguments, **more):
        known = not isinstance(asked, str) and any(
            one.get("type") == "function_call_output" for one in asked
        )
        response = Response(
            id="r1",
            created_at=0,
            model="stub",
            object="response",
            output=[answer() if known else call()],
            parallel_tool_calls=False,
            tool_choice="auto",
            tools=[],
        )
        yield ResponseCompletedEvent(
            type="response.completed", response=response, sequence_number=0
        )
