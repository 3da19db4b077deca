"""Talks to the REST API of an arena, as `king submit` does: with a token, and errors as one clear line.

Owns the requests. What an answer means is for the commands.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlsplit

from king_cli.errors import UsageError

_TIMEOUT_S = 60.0
_LISTED = 200
"""How many items a part of a list has at most."""
_NO_CONTENT = 204


class ArenaUnreachableError(UsageError):
    """Nobody answers there, or not in the language of an arena."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for the arena that was named, and for nobody else."""

    def redirect_request(self, *_asked: Any) -> None:
        """Refuse."""


_OPENER = urllib.request.build_opener(_NoRedirect)


@dataclass(frozen=True)
class ArenaClient:
    """An arena at `server`, to which `token` is shown."""

    server: str
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        """Check the address.

        Raises:
            UsageError: it is no http or https address.
        """
        parts = urlsplit(self.server)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise UsageError(f"--server {self.server!r} is no address: write it as https://arena.example")

    def send_archive(self, archive: bytes, file_name: str) -> dict[str, Any]:
        """Send a bot. Returns the submission."""
        return self._ask(f"submissions?file_name={quote(file_name)}", archive)

    def submission(self, submission_id: int) -> dict[str, Any]:
        """How far a submission is."""
        return self._ask(f"submissions/{submission_id}")

    def log(self, submission_id: int, kind: str) -> str:
        """A log of a submission: `build` or `stderr`."""
        return str(self._ask(f"submissions/{submission_id}/logs/{kind}")["text"])

    def report(self, submission_id: int) -> dict[str, Any] | None:
        """The report of its check; None before there is one."""
        report: dict[str, Any] | None = self._ask(f"submissions/{submission_id}/report")["report"]
        return report

    def submissions(self, at_most: int) -> list[dict[str, Any]]:
        """The account's submissions, the newest first."""
        return self._listed("submissions", at_most)

    def act(self, submission_id: int, act: str) -> dict[str, Any]:
        """Have a version withdrawn or activated (`act`: withdraw, activate). Returns the submission."""
        return self._ask(f"submissions/{submission_id}/{act}", method="POST")

    def delete(self, submission_id: int) -> None:
        """Delete a submission."""
        self._ask(f"submissions/{submission_id}", method="DELETE")

    def seasons_to_enter(self, submission_id: int, at_most: int) -> list[dict[str, Any]]:
        """The seasons that take entries of a version."""
        return self._listed(f"submissions/{submission_id}/seasons", at_most)

    def enter(self, submission_id: int, season: int) -> dict[str, Any]:
        """Enter a season. Returns the entrant."""
        return self._send(f"submissions/{submission_id}/seasons", {"season": season})

    def opponents(self, at_most: int) -> list[dict[str, Any]]:
        """The bot versions that can be challenged."""
        return self._listed("challenges/opponents", at_most)

    def ask_challenge(self, version: int, opponents: Sequence[int], variant: str) -> dict[str, Any]:
        """Challenge bot versions. Returns the challenge."""
        return self._send("challenges", {"version": version, "opponents": list(opponents), "variant": variant})

    def challenge(self, challenge_id: int) -> dict[str, Any]:
        """How far a challenge is."""
        return self._ask(f"challenges/{challenge_id}")

    def challenges(self) -> list[dict[str, Any]]:
        """The latest challenges, the newest first."""
        return self._listed("challenges", _LISTED)

    def page(self, submission_id: int) -> str:
        """The page of a submission, for people."""
        return f"{self.server.rstrip('/')}/mine/submissions/{submission_id}"

    def board_page(self, challenge_id: int) -> str:
        """The page of a challenge, for people."""
        return f"{self.server.rstrip('/')}/mine/boards/{challenge_id}"

    def _listed(self, path: str, at_most: int) -> list[dict[str, Any]]:
        """The first items of a list."""
        items: list[dict[str, Any]] = []
        following: str | None = f"{path}?limit={min(at_most, _LISTED)}"
        while following is not None and len(items) < at_most:
            part = self._ask(following)
            items += part["items"]
            following = None if part["next"] is None else str(part["next"]).removeprefix("/api/v1/")
        return items[:at_most]

    def _send(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._ask(path, json.dumps(body).encode(), media_type="application/json")

    def _ask(
        self, path: str, content: bytes | None = None, *, media_type: str = "application/zip", method: str | None = None
    ) -> dict[str, Any]:
        """The answer's JSON; empty where there is none. `method`: else POST with content, GET without."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if content is not None:
            headers["Content-Type"] = media_type
        address = f"{self.server.rstrip('/')}/api/v1/{path}"
        asked = urllib.request.Request(address, data=content, headers=headers, method=method)
        try:
            with _OPENER.open(asked, timeout=_TIMEOUT_S) as answer:
                found: dict[str, Any] = {} if answer.status == _NO_CONTENT else json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise _told(self.server, error) from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise ArenaUnreachableError(f"no arena answers at {self.server}: {reason}") from None
        except ValueError:
            raise ArenaUnreachableError(f"what answers at {self.server} is no arena: --server is wrong") from None


def _told(server: str, error: urllib.error.HTTPError) -> UsageError:
    """What the arena refuses, in its own words."""
    with error:
        try:
            problem = json.load(error)
            detail = str(problem["detail"])
        except (ValueError, KeyError, TypeError):
            return ArenaUnreachableError(f"{server} answers with status {error.code}, and not as an arena does")
    if error.code == 401:
        return UsageError(f"the token is not good at {server}: make one on your account's page there ({detail})")
    return UsageError(detail)
