import os
import signal

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

signal.alarm(120)


class Booking:
    def __init__(self):
        self.questions = PromptSession()

    def ask_seat(self):
        row = self.questions.prompt("row: ")
        seat = self.questions.prompt("seat: ")
        return row + seat


def check_booking(typed):
    with create_pipe_input() as keys:
        keys.send_text(typed)
        with create_app_session(input=keys, output=DummyOutput()):
            assert Booking().ask_seat() == "12F"


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    check_booking("12\rF")
