/* Keeps the numbers of a season's progress up to date while it is played. Without it they are those of the moment. */

import { follow, one, putPieces } from "./streams.js";

const place = one("#progress[data-stream]");
if (place) follow(place.dataset.stream, ({ pieces }) => putPieces(pieces), () => {});
