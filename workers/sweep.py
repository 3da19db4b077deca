"""Queues what the store says is not done; ends the claims of those that have gone silent.

Run it as often as you like, anywhere and by several at once: running it twice is harmless, and after Redis was wiped it
puts everything back.
"""

from __future__ import annotations

from rq import Queue

from league.store import Store
from workers.queueing import queue_sittings


def sweep(store: Store, queue: Queue) -> tuple[int, ...]:
    """Expire leases, then queue every sitting that could be played now. Returns the ids queued now."""
    return queue_sittings(queue, store.sittings.sweep())
