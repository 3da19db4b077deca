"""Files that `--token-file` names and that hold no token."""

from __future__ import annotations

from pathlib import Path

import pytest

from king_cli.main import run


@pytest.mark.parametrize("content", [b"\xd0\xff\x00", b"two words", b"x" * 10_000 + b" x", "токен".encode()])
def test_a_file_without_a_token_is_told_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is in the file, the answer is one line, and nobody is asked."""
    file = tmp_path / "token"
    file.write_bytes(content)
    assert run(["submit", "list", "--token-file", str(file), "--server", "http://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_device_without_an_end_is_no_token(capsys: pytest.CaptureFixture[str]) -> None:
    """Of what has no end only the start is read."""
    assert run(["submit", "list", "--token-file", "/dev/zero", "--server", "http://127.0.0.1:1"]) == 2
    assert "the token is no token" in capsys.readouterr().err


def test_controls_in_a_name_are_shown_and_not_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error about a file with an odd name is one line, in which a terminal finds nothing to obey."""
    file = tmp_path / "a\x1b[2J\nb"
    file.write_bytes(b"{}")
    assert run(["verify", str(file)]) == 1
    assert run(["rate", str(file)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert all(line.isprintable() for line in told)
