/* Looks every two seconds whether a page that waits for something has changed, by its JSON twin, and then draws its
   content anew. The page says by data-waiting that it waits; without this script its link does the same by hand. */

const EVERY_MS = 2000;
const main = document.querySelector("main");

const waits = () => main.querySelector("[data-waiting]") !== null;

async function json(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  return answer.ok ? answer.text() : null;
}

async function redraw() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement?.id;
  main.replaceChildren(...fresh.querySelector("main").childNodes);
  if (focused) document.getElementById(focused)?.focus();
}

async function follow(twin) {
  let known = await json(twin);
  while (waits()) {
    await new Promise((done) => setTimeout(done, EVERY_MS));
    if (document.hidden) continue;
    const now = await json(twin).catch(() => null);
    if (now !== null && now !== known) {
      known = now;
      await redraw();
    }
  }
}

const twin = document.querySelector("link[rel=alternate][type='application/json']");
if (twin && waits()) follow(twin.href);
