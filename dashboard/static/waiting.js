/* Looks every two seconds whether a page that waits for something has changed, by its JSON twin, and then draws its
   content anew; what the reader has written or opened there stays. The page says by data-waiting that it waits; without
   this script its link does the same by hand. */

const EVERY_MS = 2000;
const FIELDS = "select[id], textarea[id], input[id]:not([type=hidden]):not([type=file])";
const main = document.querySelector("main");

const waits = () => main.querySelector("[data-waiting]") !== null;

async function text(address, type) {
  const answer = await fetch(address, { headers: { Accept: type } });
  return answer.ok ? answer.text() : null;
}

const state = (field) => (field.type === "checkbox" || field.type === "radio" ? "checked" : "value");

async function redraw() {
  const page = await text(location.href, "text/html");
  if (page === null) return;
  const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("main");
  for (const field of main.querySelectorAll(FIELDS)) {
    const same = fresh.querySelector(`#${CSS.escape(field.id)}`);
    if (same) same[state(field)] = field[state(field)];
  }
  const opened = [...main.querySelectorAll("details")].map((one) => one.open);
  fresh.querySelectorAll("details").forEach((one, at) => { one.open ||= opened[at] ?? false; });
  const focused = document.activeElement?.id;
  main.replaceChildren(...fresh.childNodes);
  if (focused) document.getElementById(focused)?.focus();
}

async function follow(twin) {
  let known = null; // what it said may be newer than the page: the first look draws it anew
  while (waits()) {
    await new Promise((done) => setTimeout(done, EVERY_MS));
    if (document.hidden) continue;
    const now = await text(twin, "application/json").catch(() => null);
    if (now === null || now === known) continue;
    known = now;
    await redraw().catch(() => { known = null; });
  }
}

const twin = document.querySelector("link[rel=alternate][type='application/json']");
if (twin && waits()) follow(twin.href);
