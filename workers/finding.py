"""The referees there are, by their addresses: a list, and names that have several addresses.

Owns how a name becomes referees, one at each of its addresses. Asks nobody anything, and knows nothing of gRPC.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Final

from referee.addresses import Door, door_of, host_and_port
from workers.addresses import addresses, control_address
from workers.client_tls import PUBLIC_ROOTS, ClientTls

REFEREES_APART: Final = ";"
"""Between referees in a list; commas are between the addresses of one."""


class NoAddressError(Exception):
    """A name has no address now: the text says which."""


@dataclass(frozen=True, kw_only=True)
class RefereeAt:
    """One referee.

    Attributes:
        addresses: its addresses, separated by commas: by number where its name may be that of several.
        tls: whom to believe to be it: where addresses are numbers, who shows a certificate with the name.
    """

    addresses: str
    tls: ClientTls = PUBLIC_ROOTS

    @property
    def control(self) -> str:
        """Where it is given orders."""
        return control_address(self.addresses)

    def __str__(self) -> str:
        return f"{self.control} ({self.tls.name})" if self.tls.name else self.control


@dataclass(frozen=True, kw_only=True)
class Referees:
    """All referees that this side may dial.

    Attributes:
        each: the addresses of each, separated by commas; one with a name stands for a referee at each of its addresses.
        control_key: what they want to hear from those who give orders.
        tls: whom to believe to be one, and what to show.
    """

    each: tuple[str, ...]
    control_key: str = field(default="", repr=False)
    tls: ClientTls = PUBLIC_ROOTS

    def find(self) -> tuple[tuple[RefereeAt, ...], tuple[NoAddressError, ...]]:
        """Those that there are now, as their names say, and what is wrong with other names. Blocks while it asks."""
        found: list[RefereeAt] = []
        wrong: list[NoAddressError] = []
        for referee in self.each:
            try:
                found += [at for at in at_each_address(referee, self.tls) if at not in found]
            except NoAddressError as error:
                wrong.append(error)
        return tuple(found), tuple(wrong)


def split_referees(text: str) -> tuple[str, ...]:
    """The referees in a list; empty places are left out."""
    return tuple(part.strip() for part in text.split(REFEREES_APART) if part.strip())


def at_each_address(referee: str, tls: ClientTls) -> tuple[RefereeAt, ...]:
    """The referee at each address of the name that all its addresses have; as it is written if they have no such name.

    Who asks and who plays must come to the same one, so a name is asked for once, even if it has one address now.

    Raises:
        NoAddressError: the name has none.
    """
    name = _common_name(addresses(referee))
    if name is None:
        return (RefereeAt(addresses=referee, tls=tls),)
    known = replace(tls, name=name)
    return tuple(
        RefereeAt(addresses=",".join(_at_number(address, number) for address in addresses(referee)), tls=known)
        for number in _numbers(name)
    )


def _common_name(there: Sequence[str]) -> str | None:
    """The host of all addresses, if it is one and a name."""
    if any(door_of(address) is Door.SOCKET for address in there):
        return None
    hosts = {host_and_port(address)[0] for address in there}
    (host, *others) = hosts
    return None if others or _is_number(host) else host


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _numbers(name: str) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # the latter for what can be no name
        raise NoAddressError(f"the name {name} has no address: {getattr(error, 'strerror', None) or error}") from error
    return tuple(dict.fromkeys(str(where[0]) for *_, where in found))


def _at_number(address: str, number: str) -> str:
    host = f"[{number}]" if ":" in number else number
    return f"{door_of(address).value}{host}:{host_and_port(address)[1]}"
