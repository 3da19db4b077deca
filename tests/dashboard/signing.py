"""A browser without JavaScript for tests of forms: follows redirects, keeps cookies, sends a page's forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import httpx
from bs4 import BeautifulSoup

from league.accounts import Passwords

CHEAP = Passwords(memory_kib=8, passes=1)
PASSWORD = "correct horse battery"


@dataclass
class Visit:
    """What a browser shows after a request."""

    answer: httpx.Response

    @property
    def page(self) -> BeautifulSoup:
        return BeautifulSoup(self.answer.text, "html.parser")

    @property
    def path(self) -> str:
        return self.answer.url.raw_path.decode()

    @property
    def status(self) -> int:
        return self.answer.status_code

    @property
    def heading(self) -> str:
        found = self.page.select_one("h1")
        assert found is not None
        return found.get_text(strip=True)

    def text(self, selector: str) -> str:
        return " ".join(found.get_text(" ", strip=True) for found in self.page.select(selector))


class Browser:
    """Somebody who looks at the dashboard at `site`."""

    def __init__(self, site: str, language: str = "en") -> None:
        self.client = httpx.Client(
            base_url=site, follow_redirects=True, timeout=60, headers={"Accept-Language": language}
        )
        self.site = site

    def get(self, path: str) -> Visit:
        return Visit(self.client.get(path))

    def post(self, path: str, fields: Mapping[str, str | list[str]], **headers: str) -> Visit:
        """Send fields as they are, with nothing that a page would add."""
        return Visit(self.client.post(path, data=dict(fields), headers=headers))

    def send(self, visit: Visit, action: str, **filled: str | list[str]) -> Visit:
        """Fill in the form of a page that is sent to `action`, and send it as a browser does."""
        form = visit.page.select_one(f"form[method=post][action='{action}']")
        assert form is not None, f"{visit.path} has no form for {action}"
        fields: dict[str, str | list[str]] = {
            str(one["name"]): str(one.get("value") or "on")
            for one in form.select("input[name]")
            if one.get("type") not in {"checkbox", "radio"} or one.has_attr("checked")
        }
        fields |= {
            str(one["name"]): "" if one.get("value") is None else str(one["value"])
            for one in form.select("input[name]")
            if one.get("type") not in {"checkbox", "radio"}
        }
        fields |= {str(area["name"]): area.get_text() for area in form.select("textarea[name]")}
        for select in form.select("select[name]"):
            chosen = select.select_one("option[selected]") or select.select_one("option")
            fields[str(select["name"])] = "" if chosen is None else str(chosen["value"])
        unknown = set(filled) - {str(one["name"]) for one in form.select("[name]")}
        assert not unknown, f"the form for {action} has no {unknown}"
        return self.post(action, fields | filled, Origin=self.site)

    def sign_up(self, name: str, password: str = PASSWORD) -> Visit:
        return self.send(self.get("/sign-up?back=/account"), "/sign-up", name=name, password=password)

    def sign_in(self, name: str, password: str = PASSWORD) -> Visit:
        return self.send(self.get("/sign-in?back=/account"), "/sign-in", name=name, password=password)

    def close(self) -> None:
        self.client.close()
