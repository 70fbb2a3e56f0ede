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


def goes_on(session: DatabaseSession, capture: Capture) -> bool:
    """Whether it is at work, or waits for a lock that only one at work may have."""
    return session.works or (session.waits and bool(at_work(session, capture)))


def _others(session: DatabaseSession, capture: Capture) -> list[DatabaseSession]:
    return [
        one
        for one in capture.database_sessions
        if (one.server, one.database) == (session.server, session.database)
        and one.pid != session.pid
    ]
