"""Which ends of TCP connections are the two ends of one, by what each says of itself.

An address tells a machine only where one alone has it: every machine has 127.0.0.1, and bridges of
containers have the same addresses everywhere. What more than one network claims is not joined.
"""

import ipaddress
from collections.abc import Collection, Iterable, Mapping, Sequence

from hangtui.dataclass import dataclass
from hangtui.model.connection import Network, TcpEnd


@dataclass(frozen=True, slots=True)
class Met:
    """What is known of the other end of one."""

    others: tuple[TcpEnd, ...] = ()
    """It: of each process that has it open. Empty: none of these is known to be."""
    unclear: str | None = None
    """Why it is not known, where something of it was found."""


class Meetings:
    """The other ends of those in a list."""

    def __init__(self, ends: Sequence[TcpEnd], networks: Iterable[Network]) -> None:
        self._by_pair: dict[tuple[str, str], list[TcpEnd]] = {}
        self._by_remote: dict[str, list[TcpEnd]] = {}
        self._claims: dict[str, set[str]] = {}
        for end in ends:
            self._by_pair.setdefault((end.local, end.remote), []).append(end)
            self._by_remote.setdefault(end.remote, []).append(end)
            self._claims.setdefault(_host(end.local), set()).add(end.network)
        for network in networks:
            for address in network.addresses:
                self._claims.setdefault(address, set()).add(network.id)

    def of(self, end: TcpEnd) -> Met:
        """The other end of *end*."""
        others = self._by_pair.get((end.remote, end.local), [])
        here = [one for one in others if one.network == end.network]
        if here:
            return Met(tuple(here))
        if others:
            if _joins(end.local, end.network, self._claims) and all(
                _joins(end.remote, one.network, self._claims) for one in others
            ):
                return Met(tuple(others))
            return Met((), "several networks have these addresses, so which one is not known")
        if translated := self._translated(end):
            who = ", ".join(dict.fromkeys(f"process {one.pid}" for one in translated[:3]))
            seen = f"{who} has a connection from {end.local}, under another address of its own"
            return Met((), f"{seen}: whether that is it, with addresses translated, is not known")
        return Met()

    def _translated(self, end: TcpEnd) -> list[TcpEnd]:
        """What may be the other end, if its address was changed on the way."""
        if not _joins(end.local, end.network, self._claims):
            return []
        return [one for one in self._by_remote.get(end.local, ()) if one.network != end.network]


def _joins(address: str, network: str, claims: Mapping[str, Collection[str]]) -> bool:
    """Whether *address*, with a port, means *network* wherever it is said."""
    host = _host(address)
    try:
        known = ipaddress.ip_address(host)
    except ValueError:
        return False
    if known.is_loopback or known.is_link_local or known.is_unspecified:
        return False
    return set(claims.get(host, ())) == {network}


def _host(address: str) -> str:
    return address.rpartition(":")[0].strip("[]")
