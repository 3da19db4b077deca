"""Asks, before anything is started, whether Redis is there and referees take orders; must not queue anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from king_cli.errors import UsageError
from king_cli.settings import Settings

if TYPE_CHECKING:
    from workers.finding import Referees


def check_redis(settings: Settings, url: str) -> None:
    """Check that a Redis or Valkey answers at `url`: that of the settings, or the one that `king up` starts.

    Raises:
        UsageError: none does.
    """
    from redis.exceptions import RedisError

    from workers.queueing import connect

    try:
        with connect(url) as connection:
            connection.ping()
    except (RedisError, OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        if settings.redis_url:
            raise UsageError(
                f"KING_REDIS_URL: no Redis or Valkey can be used there ({reason}): "
                "start one, or leave KING_REDIS_URL empty, and `king up` starts one itself"
            ) from None
        raise UsageError(
            f"no Redis or Valkey at {url} ({reason}): run `king up`, which starts one, or name one with KING_REDIS_URL"
        ) from None


def check_control_key(referees: Referees) -> None:
    """Check that no referee refuses our control key; one that does not answer may come later.

    Raises:
        UsageError: one does.
    """
    import asyncio

    from workers.choosing import refusal

    refused = asyncio.run(refusal(referees))
    if refused is not None:
        raise UsageError(f"KING_CONTROL_KEY: {refused}")
