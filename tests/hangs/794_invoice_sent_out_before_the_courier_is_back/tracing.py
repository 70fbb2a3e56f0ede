from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult


class Courier(SpanExporter):
    def __init__(self):
        self.sent = []

    def export(self, spans):
        self.sent.extend(span.name for span in spans)
        return SpanExportResult.SUCCESS


class CarefulCourier(Courier):
    def export(self, spans):
        with provider.get_tracer("courier").start_as_current_span("delivery"):
            super().export(spans)
        provider.force_flush()
        return SpanExportResult.SUCCESS


provider = TracerProvider()


def use(courier):
    provider.add_span_processor(BatchSpanProcessor(courier, schedule_delay_millis=200))
    return provider.get_tracer("billing")
