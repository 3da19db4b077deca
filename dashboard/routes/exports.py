"""A season to take away: results as CSV, records as an archive."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from dashboard import asking, exporting
from dashboard.api.files import Archive, CsvFile
from league.model import Season

router = APIRouter(prefix="/seasons")


@router.get("/{season_id}/results.csv", response_class=CsvFile)
def results(request: Request, season_id: str) -> Response:
    """The results of all stored matches, as `king rate` reads them."""
    store, season = asking.store(request), asking.season(request, season_id)
    headers = {"Content-Disposition": _as_file(season, "csv")}
    return StreamingResponse(exporting.results_csv(store, season), media_type="text/csv", headers=headers)


@router.get("/{season_id}/records.tar.gz", response_class=Archive)
def records(request: Request, season_id: str) -> Response:
    """The records that are public by now, one file each."""
    store, season = asking.store(request), asking.season(request, season_id)
    headers = {"Content-Disposition": _as_file(season, "tar.gz")}
    packed = exporting.records_archive(store, season)
    return StreamingResponse(packed, media_type="application/gzip", headers=headers)


def _as_file(season: Season, ending: str) -> str:
    """The header that names the file: in ASCII for old readers, whole for the others (RFC 6266)."""
    whole = quote(f"{season.name}.{ending}", safe="")
    return f"attachment; filename=\"season-{season.id}.{ending}\"; filename*=UTF-8''{whole}"
