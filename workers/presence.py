"""Has referees know which remote bots may dial, and the store which are connected.

Owns nothing: who is connected is the referees' to say, whose token is good the store's. To do it twice is harmless; who
sweeps does it each time, so that a referee that was started anew hears of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from typing import Final

from league.store import Store
from workers.finding import RefereeAt, Referees
from workers.referee_client import RefereeLostError, SittingError, tell_remote_bots

OTHERS_WITHIN_S: Final = 0.5
"""How long other referees may take after the first has answered."""


def note_presence(store: Store, referees: Referees) -> bool:
    """Tell all referees the tokens of remote bots, and the store who is connected to any. Returns whether one answered.

    While none answers, nobody counts as absent. Leagues without remote bots cost it nothing.

    Raises:
        SittingError: a referee answers, but not to us; the others were told.
    """
    if not store.presence.has_remotes():
        return True
    hashes = {str(bot): bytes.fromhex(known) for bot, known in store.presence.tokens().items()}
    found, _ = referees.find()
    answers = _tell_all(found, hashes, referees.control_key)
    heard = [answer for answer in answers if not isinstance(answer, SittingError)]
    if heard:
        store.presence.note(sorted({int(bot) for connected in heard for bot in connected}))
    else:
        store.presence.forget()
    for answer in answers:
        if isinstance(answer, SittingError) and not isinstance(answer, RefereeLostError):
            raise answer
    return bool(heard)


def _tell_all(
    found: Sequence[RefereeAt], hashes: Mapping[str, bytes], control_key: str
) -> list[tuple[str, ...] | SittingError]:
    """Tell them side by side. When one has answered the others have little time: who sweeps has more to do.

    One that is slower is told all the same, and told again by the next sweep.
    """

    def tell(at: RefereeAt) -> tuple[str, ...] | SittingError:
        try:
            return tell_remote_bots(at.control, hashes, control_key=control_key, tls=at.tls)
        except SittingError as error:
            return error

    if len(found) <= 1:
        return [tell(at) for at in found]
    threads = ThreadPoolExecutor(len(found))
    telling = [threads.submit(tell, at) for at in found]
    threads.shutdown(wait=False)
    for task in as_completed(telling):
        if not isinstance(task.result(), SittingError):
            break
    done, _ = wait(telling, OTHERS_WITHIN_S)
    return [task.result() for task in done]
