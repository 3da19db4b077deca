"""A remote bot behind the bridge with several referees: what becomes of it when one is not there."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from king_cli.bridge import session, several

STARTED_TWICE_AND_GONE = """#!/bin/sh
echo started >> "$0.starts"
[ "$(wc -l < "$0.starts")" -lt 2 ] || rm -- "$0"
echo '{"messages": [{"hello": {"name": "brief"}}, {"ready": {}}]}'
while read -r line; do :; done
"""


def test_a_command_that_is_gone_ends_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It cannot be run again for a referee that was not there: that is said, and does not go on as half a bot."""
    monkeypatch.setattr(session, "GIVE_UP_AFTER_S", 0.2)
    monkeypatch.setattr(several, "AGAIN_AFTER_S", 1.0)
    script = tmp_path / "bot"
    script.write_text(STARTED_TWICE_AND_GONE)
    script.chmod(0o755)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        referees = ("127.0.0.1:1", f"127.0.0.1:{silent.getsockname()[1]}")
        assert several.play_at_all([str(script)], referees, token="king-remote-x", roots=None) == several.CANNOT_RUN
    assert f"{str(script)!r} cannot be run again: No such file or directory" in capfd.readouterr().err
