"""Takes the pictures of the README from a running dashboard: `python docs/screenshots.py http://127.0.0.1:8000`.

Writes ladder.png and replay.png into docs/pictures (or the folder given second). Needs Playwright and a Chromium.
"""

from __future__ import annotations

import json
import shutil
import sys
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

WIDTH = 1440
HEIGHT = 1280
SCALE = 0.8
MOST_BYTES = 400 * 1024
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def read(address: str) -> Any:
    """The JSON at an address."""
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def ladder_path(site: str) -> str:
    """The ladder with the most boards over."""
    seasons = read(f"{site}/ladders.json")["seasons"]
    if not seasons:
        raise SystemExit(f"{site} has no season yet: play one first, for example with `make league`")
    best = max(seasons, key=lambda one: one["progress"]["boards_over"])
    return f"/seasons/{best['season']['id']}/ladder"


def replay_path(site: str) -> str:
    """A position in the middle of a trick of a public match."""
    season = ladder_path(site).split("/")[2]
    rows = read(f"{site}/matches.json?season={season}")["rows"]
    match = next((row["match_id"] for row in rows if row["public"]), None)
    if match is None:
        raise SystemExit(f"season {season} at {site} has no public match yet: wait until a set of boards is over")
    record = read(f"{site}/matches/{match}/record.json")
    deals = record["deals"]
    number = max(range(len(deals)), key=lambda at: (len(deals[at]["tricks"]), at)) + 1
    deal = deals[number - 1]
    before = sum(action["do"] != "play" for action in deal["actions"])
    play = before + 2 * record["seats"] + record["seats"] - 1
    return f"/matches/{match}?deal={number}&play={play}"


def take(page: Page, address: str, path: Path) -> None:
    """One picture of the top of a page."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path)
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{path} has {size} bytes; at most {MOST_BYTES} are wanted")
    sys.stdout.write(f"{path} {size // 1024} KiB\n")


def main(arguments: list[str]) -> None:
    """Take both pictures."""
    if not arguments:
        raise SystemExit("say where the dashboard runs: python docs/screenshots.py http://127.0.0.1:8000 [FOLDER]")
    site = arguments[0].rstrip("/")
    folder = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).parent / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE, color_scheme="light"
        )
        take(page, site + ladder_path(site), folder / "ladder.png")
        take(page, site + replay_path(site), folder / "replay.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
