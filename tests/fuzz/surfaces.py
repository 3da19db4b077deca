"""The surfaces by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzz.engine import Opener
from tests.fuzz.frames import open_frames
from tests.fuzz.lines import open_lines
from tests.fuzz.manifests import open_manifests
from tests.fuzz.records import open_records
from tests.fuzz.results import open_results
from tests.fuzz.streams import open_control, open_streams
from tests.fuzz.uploads import open_uploads
from tests.fuzz.web import open_web
from tests.fuzz.words import open_words

SURFACES: Final[Mapping[str, Opener]] = {
    "frames": open_frames,
    "streams": open_streams,
    "control": open_control,
    "records": open_records,
    "uploads": open_uploads,
    "manifests": open_manifests,
    "results": open_results,
    "web": open_web,
    "lines": open_lines,
    "words": open_words,
}
