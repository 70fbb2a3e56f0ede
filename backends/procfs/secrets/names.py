"""Which names are those of secrets, and which values are none whatever their name."""

import re
from functools import lru_cache

_PLAIN = frozenset(
    "password passwords passwd passphrase passcode passwort kennwort pass_phrase pwd pw "
    "secret secrets apikey apikeys credential credentials creds authorization bearer "
    "sessionid phpsessid jsessionid connectionstring".split()
)
"""Words that name a secret wherever they stand in a name."""
_LAST = frozenset(
    "pass key token jwt auth cookie cookies signature sig sas otp hmac pat passkey userpwd".split()
)
"""Words that name one at the end of a name only: a ``token_limit`` is none."""
_GLUED = (
    *"password passwords passwd passphrase passcode passwort pwd secret secrets apikey".split(),
    *"credentials token key pass auth pw cookie".split(),
)
"""Endings of words without a separator: ``PGPASSWORD``, ``ENCRYPTIONKEY``."""
_OTHER_WORDS = frozenset(
    "monkey turkey donkey jockey hockey whiskey hotkey lackey flunkey smokey pokey hickey mickey "
    "rickey kokey okey primarykey foreignkey sortkey partitionkey groupkey publickey pubkey "
    "compass bypass trespass surpass underpass overpass encompass lowpass highpass bandpass "
    "allpass multipass onepass twopass subpass renderpass noauth oldpwd padtoken maxtoken "
    "singlepass firstpass secondpass newkey".split()
)
"""Words that end so and name no secret."""
_ENDINGS = frozenset(
    "file files path paths dir directory folder name names type types size length len count ttl "
    "url uri urls id ids index method methods mode policy policies limit limits hint prompt stdin "
    "fd env var field fields column reset expiry expires expiration age timeout interval delay "
    "provider providers manager header headers format version algorithm alg service server "
    "backend backends class module package plugin plugins endpoint address host port enabled "
    "disabled required only min max ratio rate bucket arn scope scopes audience "
    "issuer mount ref namespace validator validators rotation strength".split()
)
"""Last words of names that speak about a secret or where it is."""
_NEGATIONS = frozenset("no without ask require requires has is use prompt show hide".split())
_KINDS = {
    "key": frozenset(
        "primary foreign sort partition group public pub cache dict shard routing row num order "
        "index object bind hot arrow map gpg".split()
    ),
    "token": frozenset(
        "pad eos bos unk sep cls mask special image start end stop next per first last audio "
        "video begin bot eot".split()
    ),
    "pass": frozenset("first second single two one forward backward render multi low high".split()),
    "auth": frozenset("no use require skip disable enable".split()),
}
"""What before a last word makes it another thing."""
_HOLDERS = frozenset("api access auth secret private refresh bearer session".split())
"""What before ``tokens`` or ``keys`` makes them secrets."""

_WORD = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[A-Z]++")
_POSSIBLE = re.compile(
    r"pass|pw|key|token|secret|auth|cred|bearer|cookie|sess|sig|sas|otp|hmac|pat|jwt|wort|connection",
    re.IGNORECASE,
)
"""One of these is in each name of a secret; almost no name has one."""
_LONGEST = 200
"""Characters of a name that are looked at, from its end."""

_HARMLESS = re.compile(
    r"(?i:true|false|none|null|nil|yes|no|on|off|stdin|prompt|ask|auto|default)?"
    r"|\d{1,2}|-"
    r"|<[^<>\s]{1,20}>|\[[A-Z]{1,12}\]"  # special tokens of language models
    r"|\$[A-Za-z_]\w{0,60}|\$\{[A-Za-z_]\w{0,60}\}"  # a reference, not yet its value
    r"|(?:env|file|fd):[^\s:@]{1,500}"  # openssl-passphrase-options(1)
    r"|[\w./~-]{1,500}\.(?:pem|key|crt|cer|p12|pfx|jks|pub|json|txt|ya?ml|toml|env|conf|asc|gpg)"
)


def names_secret(name: str) -> bool:
    """Whether what has this name is a secret."""
    name = name[-_LONGEST:]
    return _POSSIBLE.search(name) is not None and _names_secret(name)


@lru_cache(maxsize=1000)
def _names_secret(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    if len(words) > 1 and words[-1] in ("value", "base", "new", "old", "v"):
        words.pop()  # SECRET_KEY_BASE, token_v2
    if not words:
        return False
    if words[-1] in _ENDINGS:
        return words[-2:] == ["secret", "id"]
    if words[0] in _NEGATIONS:
        return False
    return _ends_so(words) or any(_is_plain(word) for word in words)


def is_strong(name: str) -> bool:
    """Whether even a bare word after this name, as in a list, is a secret."""
    words = [word.lower() for word in _WORD.findall(name[-_LONGEST:])]
    return names_secret(name) and (name.startswith("-") or any(map(_is_plain, words)))


def is_harmless(value: str) -> bool:
    """Whether a value is too plain to be a secret, or only says where one is."""
    return len(value) <= 600 and _HARMLESS.fullmatch(value) is not None


def _is_plain(word: str) -> bool:
    return word in _PLAIN or (len(word) > 6 and word.endswith(("password", "passwd", "secret")))


def _ends_so(words: list[str]) -> bool:
    last = words[-1]
    before = words[-2] if len(words) > 1 else ""
    if last in ("tokens", "keys"):
        return before in _HOLDERS
    if last in _LAST:
        return before not in _KINDS.get(last, ())
    return last.endswith(_GLUED) and last not in _OTHER_WORDS
