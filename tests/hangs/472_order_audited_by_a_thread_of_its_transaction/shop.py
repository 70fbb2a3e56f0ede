import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import django
from django.conf import settings
from django.db import connection, models, transaction

DATABASE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": os.path.join(tempfile.mkdtemp(), "shop.db"),
    "OPTIONS": {"timeout": 3600},
}
settings.configure(DATABASES={"default": DATABASE}, USE_TZ=True)
django.setup()
pool = ThreadPoolExecutor(2, thread_name_prefix="audit")


class Order(models.Model):
    name = models.TextField()

    class Meta:
        app_label = "shop"


class Audit(models.Model):
    text = models.TextField()

    class Meta:
        app_label = "shop"


def make_tables():
    with connection.schema_editor() as editor:
        editor.create_model(Order)
        editor.create_model(Audit)


def write_audit(text):
    return Audit.objects.create(text=text).pk


def place_order(name):
    with transaction.atomic():
        order = Order.objects.create(name=name)
        return order.pk, pool.submit(write_audit, "ordered by " + name).result()
