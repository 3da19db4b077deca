"""What people come to look at and look up, beside the pages of a league: live tables, search, feeds, exports, guide.

Owns which routes these are and the state they share. They come before all others, since some lie below longer paths.
"""

from __future__ import annotations

from fastapi import FastAPI

from dashboard.fanout import CrowdedError
from dashboard.live_streams import Streams
from dashboard.live_tables import LiveTables
from dashboard.routes import exports, feeds, guide, live, match_list, search
from dashboard.stream_places import ClientCrowdedError, StreamPlaces
from dashboard.templating import Renderer
from league.store import Store


def add_watching(app: FastAPI, store: Store, renderer: Renderer, redis_url: str, *, streams_each: int) -> None:
    """Add them to the app of a league; workers say at `redis_url` how their tables stand, if it is not empty.

    `streams_each`: how many streams one address may have open; 0: any number.
    """
    app.state.live = LiveTables(store, redis_url)
    app.state.streams = Streams(store, app.state.live, renderer)
    app.state.stream_places = StreamPlaces(streams_each)
    app.add_exception_handler(CrowdedError, live.too_many)
    app.add_exception_handler(ClientCrowdedError, live.too_many_from_there)
    for part in (live, match_list, search, feeds, exports, guide):
        app.include_router(part.router)
