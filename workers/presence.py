"""Has the referee know which remote bots may dial, and the store which are connected.

Owns nothing: who is connected is the referee's to say, whose token is good the store's. To do it twice is harmless; who
sweeps does it each time, so that a referee that was started anew hears of them at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from league.store import Store
from workers.client_tls import PUBLIC_ROOTS, ClientTls
from workers.referee_client import RefereeLostError, SittingError, tell_remote_bots


@dataclass(frozen=True, kw_only=True)
class RefereeDoor:
    """Where the referee is, and what it wants to hear and see of those who give it orders."""

    address: str
    control_key: str = field(repr=False)
    tls: ClientTls = PUBLIC_ROOTS


def note_presence(store: Store, door: RefereeDoor) -> bool:
    """Tell the referee the tokens of remote bots, and the store who is connected. Returns whether it could be done.

    While the referee does not answer, nobody counts as absent. Leagues without remote bots cost it nothing.

    Raises:
        SittingError: the referee answers, but not to us.
    """
    if not store.presence.has_remotes():
        return True
    hashes = {str(bot): bytes.fromhex(known) for bot, known in store.presence.tokens().items()}
    try:
        connected = tell_remote_bots(door.address, hashes, control_key=door.control_key, tls=door.tls)
    except SittingError as error:
        store.presence.forget()
        if isinstance(error, RefereeLostError):
            return False
        raise
    store.presence.note([int(bot) for bot in connected])
    return True
