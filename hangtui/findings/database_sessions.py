"""Sessions of a database of this machine that one which waits for a lock may wait for."""

from hangtui.model import Capture, DatabaseSession


def in_transaction(session: DatabaseSession, capture: Capture) -> list[DatabaseSession]:
    """The others of its database that are idle in transaction, its own client's first."""
    found = [one for one in _others(session, capture) if one.rests_in_transaction]
    return sorted(found, key=lambda one: one.client != session.client)


def at_work(session: DatabaseSession, capture: Capture) -> list[DatabaseSession]:
    """The others of its database that are at work in a statement, and keep the locks of their
    transaction until that has ended; empty also if one may keep its own that is idle."""
    if in_transaction(session, capture):
        return []
    return [one for one in _others(session, capture) if one.works]


def copying(session: DatabaseSession, capture: Capture) -> list[DatabaseSession]:
    """The others of its database that are in a COPY, which lasts as long as their clients send or
    take rows; empty also if one may keep its locks that is idle, or at work."""
    if in_transaction(session, capture) or at_work(session, capture):
        return []
    return [one for one in _others(session, capture) if one.copies]


def at_rest(session: DatabaseSession, capture: Capture) -> list[DatabaseSession]:
    """The others of its database that are idle, outside of a transaction: they keep such locks
    alone as belong to a session, its own client's first."""
    found = [one for one in _others(session, capture) if one.activity == "idle"]
    return sorted(found, key=lambda one: one.client != session.client)


def goes_on(session: DatabaseSession, capture: Capture) -> bool:
    """Whether it is at work, or waits for a lock that only one at work or in a COPY may have."""
    others = at_work(session, capture) or copying(session, capture)
    return session.works or (session.waits and bool(others))


def _others(session: DatabaseSession, capture: Capture) -> list[DatabaseSession]:
    return [
        one
        for one in capture.database_sessions
        if (one.server, one.database) == (session.server, session.database)
        and one.pid != session.pid
    ]
