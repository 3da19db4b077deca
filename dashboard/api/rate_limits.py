"""Rate limits: so many requests a window for each caller, counted in this process.

Owns the counting and the headers that tell of it (`RateLimit-Policy` and `RateLimit` of the IETF draft). Must not know
requests: callers are keys. Counts are lost with the process, which costs nobody anything.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from threading import Lock

_CALLERS_KEPT = 20_000


@dataclass(frozen=True, kw_only=True)
class Policy:
    """So many requests in a window, under a name that callers see; `quota` 0: without a limit."""

    name: str
    quota: int
    window_seconds: int = 60

    @property
    def header(self) -> str:
        """The item of `RateLimit-Policy`."""
        return f'"{self.name}";q={self.quota};w={self.window_seconds}'


@dataclass(frozen=True, kw_only=True)
class RateLimits:
    """The policies of the API: reading without a token, by address; reading with one; changing something."""

    reading: Policy = Policy(name="reading", quota=600)
    reading_with_token: Policy = Policy(name="reading-with-token", quota=1800)
    writing: Policy = Policy(name="writing", quota=60)

    @classmethod
    def of(cls, *, reads: int, writes: int) -> RateLimits:
        """Limits a minute from the settings: a token reads three times as much as an address; 0: none."""
        return cls(
            reading=Policy(name="reading", quota=reads),
            reading_with_token=Policy(name="reading-with-token", quota=3 * reads),
            writing=Policy(name="writing", quota=writes),
        )


DEFAULT_LIMITS = RateLimits()


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a caller stands: whether this request is within the policy, what is left, when all is there again."""

    policy: Policy
    is_within: bool
    remaining: int
    reset_seconds: int

    @property
    def headers(self) -> dict[str, str]:
        """What the answer says of it."""
        told = f'"{self.policy.name}";r={self.remaining};t={self.reset_seconds}'
        return {"RateLimit-Policy": self.policy.header, "RateLimit": told}


@dataclass(slots=True)
class _Window:
    ends_at: float
    used: int = 0


class RateLimiter:
    """Counts requests by policy and caller, in windows that begin with a caller's first request."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` tells seconds, and never runs backwards."""
        self._clock = clock
        self._windows: OrderedDict[tuple[str, str], _Window] = OrderedDict()
        self._lock = Lock()

    def take(self, policy: Policy, caller: str) -> Standing | None:
        """Counts one request of a caller; None where the policy sets no limit."""
        if policy.quota <= 0:
            return None
        now = self._clock()
        with self._lock:
            window = self._window(policy, caller, now)
            is_within = window.used < policy.quota
            window.used += is_within
            return Standing(
                policy=policy,
                is_within=is_within,
                remaining=policy.quota - window.used,
                reset_seconds=max(1, math.ceil(window.ends_at - now)),
            )

    def _window(self, policy: Policy, caller: str, now: float) -> _Window:
        key = (policy.name, caller)
        known = self._windows.get(key)
        if known is None or known.ends_at <= now:
            known = self._windows[key] = _Window(now + policy.window_seconds)
        self._windows.move_to_end(key)
        while len(self._windows) > _CALLERS_KEPT:
            self._windows.popitem(last=False)
        return known


def caller_of_address(host: str) -> str:
    """The caller behind an address: of IPv6 its network of 64 bits, for who has one address there has them all."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:  # as sockets for both versions call it
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)
