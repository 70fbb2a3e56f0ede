import queue
import time


def carve(number, questions, answers):
    """Runs in another process; asks the master for a measure where it is odd."""
    time.sleep(0.05)
    size = number
    if number % 5 == 4:
        questions.put(number)
        size = answers.get()
    return number, size * 2


class Desk:
    def __init__(self, questions, answers):
        self.questions = questions
        self.answers = answers
        self.given = 0

    def answer_waiting(self):
        while True:
            try:
                number = self.questions.get_nowait()
            except queue.Empty:
                return
            self.answers.put(number + 1)
            self.given += 1
