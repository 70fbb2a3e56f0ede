import os
import queue
import signal
import time

import telebot
from telebot.types import Update

signal.alarm(120)
bot = telebot.TeleBot("1234:token", num_threads=2)
answers = {}


@bot.message_handler(commands=["order"])
def take_order(message):
    answers[message.chat.id] = queue.Queue()
    dish = answers[message.chat.id].get()
    print(message.chat.id, "wants", dish)


@bot.message_handler(func=lambda message: message.chat.id in answers)
def take_answer(message):
    answers[message.chat.id].put(message.text)


def receive(number, chat, text):
    sender = {"id": chat, "is_bot": False, "first_name": "guest"}
    marks = [{"type": "bot_command", "offset": 0, "length": 6}] if text[0] == "/" else []
    message = {
        "message_id": number,
        "date": int(time.time()),
        "chat": {"id": chat, "type": "private"},
        "from": sender,
        "text": text,
        "entities": marks,
    }
    bot.process_new_updates([Update.de_json({"update_id": number, "message": message})])


if __name__ == "__main__":
    for number, (chat, text) in enumerate([(7, "/order"), (8, "/order"), (7, "soup"), (8, "rice")]):
        receive(number, chat, text)
        time.sleep(0.2)
    print("MARK main pid=%d" % os.getpid())
    while bot.worker_pool.tasks.qsize():
        time.sleep(0.5)
