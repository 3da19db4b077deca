"""Every kind of page under axe in a real Chromium: no serious fault in either theme, no sideways scroll at 390 px."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.dashboard.conftest import Reader
from tests.dashboard.crawling import crawl
from tests.dashboard.test_browser import FLAGS, Theme

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
ASK = "() => axe.run(document, {resultTypes: ['violations']})"
LEAVE_WHAT_IS_NEW = """() => {
    const name = (element) => `${element.tagName}.${element.className}.${element.getAttribute('role')}`;
    const isRepeated = (element) => element.matches('tbody > tr, li, details, dl > div');
    const rows = [...document.querySelectorAll('*')].filter(isRepeated);
    for (const parent of new Set(rows.map((row) => row.parentElement))) {
        const seen = new Set();
        [...parent.children].filter(isRepeated).forEach((row, index) => {
            const within = [row, ...row.querySelectorAll('*')];
            const links = within.map((element) => `${name(element.parentElement)} > ${name(element)}`);
            if (index > 1 && links.every((link) => seen.has(link))) row.remove();
            links.forEach((link) => seen.add(link));
        });
    }
}"""
"""Of rows and items without anything that those above them do not have, two stay: axe takes as long for each, and finds
the same."""
GRAVE = {"serious", "critical"}
NARROW = 390
WIDE = 1440


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.exists():
        pytest.skip("axe-core is not there: `make axe` installs it with npm")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Generator[Browser, None, None]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="module")
def addresses(reader: Reader) -> list[str]:
    """One page of each kind that links lead to."""
    return sorted(crawl(reader, each_kind=1))


def faults_of(answer: dict[str, Any]) -> list[str]:
    """The grave ones among what axe found, one line each."""
    return [
        f"{fault['id']} ({fault['impact']}): {fault['help']}: {node['html'][:160]}"
        for fault in answer["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"][:3]
    ]


@pytest.mark.parametrize(("theme", "width"), [("light", WIDE), ("dark", NARROW)])
def test_axe_finds_no_grave_fault(
    browser: Browser, axe: str, site: str, addresses: list[str], theme: Theme, width: int
) -> None:
    """On no page, in no theme, does axe find a serious or critical fault, and no page is wider than the screen."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    found = {}
    for address in addresses:
        page.goto(site + address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, address
        page.evaluate(LEAVE_WHAT_IS_NEW)
        page.evaluate(axe)
        faults = faults_of(page.evaluate(ASK))
        if faults:
            found[address] = faults
    context.close()
    assert found == {}
    assert len(addresses) > 20


def test_axe_sees_faults(browser: Browser, axe: str, site: str) -> None:
    """A page that is spoilt on purpose does not pass, be it in the last of many rows: the check can fail."""
    page = browser.new_page()
    page.goto(f"{site}/matches")
    rows = page.locator("tbody > tr")
    before = rows.count()
    rows.last.evaluate("row => row.lastElementChild.append(document.createElement('button'))")
    page.evaluate(LEAVE_WHAT_IS_NEW)
    assert 2 < rows.count() < before
    page.evaluate(axe)
    assert [fault for fault in faults_of(page.evaluate(ASK)) if fault.startswith("button-name (critical)")]
    page.close()


def test_no_page_scrolls_sideways_in_russian(browser: Browser, site: str, addresses: list[str]) -> None:
    """At 390 pixels no page is wider than the screen, though Russian words are longer."""
    context = browser.new_context(viewport={"width": NARROW, "height": 844}, locale="ru")
    page = context.new_page()
    too_wide = {}
    for address in addresses:
        page.goto(site + address)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        if width > NARROW:
            too_wide[address] = width
    context.close()
    assert too_wide == {}
