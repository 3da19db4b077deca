/* Follows a stream of pieces: each event has the drawn pieces that have changed, by name. Knows no rules; the server draws. */

export const one = (selector) => document.querySelector(selector);

export function putPieces(pieces) {
  for (const [name, markup] of Object.entries(pieces)) {
    for (const element of document.querySelectorAll(`[data-piece="${name}"]`)) element.innerHTML = markup;
  }
}

/* `told` takes each event, `state` is told how the connection is: "following", "lost" or "ended". */
export function follow(address, told, state) {
  const source = new EventSource(address);
  source.addEventListener("open", () => state("following"));
  source.addEventListener("state", (event) => told(JSON.parse(event.data)));
  source.addEventListener("end", () => {
    source.close();
    state("ended");
  });
  source.addEventListener("error", () => {
    state(source.readyState === EventSource.CLOSED ? "ended" : "lost"); // the browser comes again by itself
  });
  addEventListener("pagehide", () => source.close());
  return source;
}
