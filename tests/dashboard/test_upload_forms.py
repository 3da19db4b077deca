"""The form that sends an archive, as no browser sends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from dashboard.app import create_app
from league.accounts import form_token
from league.audit_log import SHELL
from league.store import Store
from tests.dashboard.conftest import serving
from tests.dashboard.seasons import Clock, open_store
from tests.workers.zips import bot_archive

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Sender:
    """Somebody who is signed in at a site."""

    store: Store
    site: str
    session: str

    def send(self, body: bytes, *, kind: str = "multipart/form-data; boundary=b") -> httpx.Response:
        """Send a form as it is."""
        headers = {"Content-Type": kind, "Cookie": f"king_session={self.session}"}
        return httpx.post(f"{self.site}/mine/submit", content=body, headers=headers, timeout=60)

    def form(self) -> bytes:
        """A good one."""
        fields = [
            (b'name="form_token"', form_token(self.session).encode()),
            (b'name="archive"; filename="owl.zip"', bot_archive()),
        ]
        parts = (b"--b\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % field for field in fields)
        return b"".join(parts) + b"--b--\r\n"


@pytest.fixture
def sender(tmp_path: Path) -> Iterator[Sender]:
    """An owner of bots."""
    clock = Clock()
    store = open_store(tmp_path, clock)
    session = store.sessions.begin(store.accounts.create("olga", by=SHELL).id)
    with serving(create_app(store, clock=clock)) as site:
        yield Sender(store, site, session.token)
    store.close()


def test_a_whole_form_is_taken(sender: Sender) -> None:
    """A form with an archive leads to its submission."""
    answer = sender.send(sender.form())
    assert (answer.status_code, answer.headers.get("location")) == (303, "/mine/submissions/1")


@pytest.mark.parametrize("left_out", [8, 200])
def test_a_form_without_an_end_is_refused(sender: Sender, left_out: int) -> None:
    """What has come of a form that is cut off is not taken for the whole, and its file is not left open."""
    answer = sender.send(sender.form()[:-left_out])
    assert answer.status_code == 400
    assert "cannot be read" in answer.text
    assert sender.store.submissions.of_owner("olga") == ()


@pytest.mark.parametrize("charset", ["undefined", "hex", "utf-7", "idna", "x" * 5000])
def test_an_odd_charset_is_no_failure(sender: Sender, charset: str) -> None:
    """A form may name any charset: it is taken, or refused as one that cannot be read."""
    answer = sender.send(sender.form(), kind=f"multipart/form-data; boundary=b; charset={charset}")
    assert answer.status_code in {303, 400}
