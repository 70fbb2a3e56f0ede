"""Which files belong to packages that measure others, and are put around the functions of these,
the standard library's among them: a call goes through them, and waits in what they are around."""

import re

_AROUND = re.compile(
    r".*/(?:site|dist)-packages/"
    r"(?:ddtrace/(?:contrib|internal/wrapping)/"
    r"|elasticapm/(?:contrib|instrumentation)/"
    r"|logfire/_internal/integrations/"
    r"|newrelic/(?:api/|hooks/|common/object_wrapper\.py)"
    r"|opentelemetry/instrumentation/"
    r"|scout_apm/instruments/"
    r"|sentry_sdk/(?:integrations/|utils\.py)"
    r"|wrapt/).*",
    re.DOTALL,
)


def is_around(filename: str) -> bool:
    """Whether it is a file of that kind, by its name."""
    return _AROUND.fullmatch(filename) is not None
