// Keeps a page current while something runs on the server, without reloading it: neither the focus nor
// the place on the page is lost (WCAG 2.2, 2.2.1 and 3.2.5). Without JavaScript the page reloads.
(() => {
  "use strict";

  let isEdited = false;

  async function currentPage() {
    try {
      const response = await fetch(location.href, { redirect: "error" });
      if (!response.ok) return null;
      return new DOMParser().parseFromString(await response.text(), "text/html").querySelector(".page");
    } catch {
      return null; // logged out or offline: keep the current content
    }
  }

  async function refresh(page) {
    const next = await currentPage();
    if (isEdited) return; // what somebody typed or selected stays
    if (!next) return wait(page);
    // Done: forms and their scripts begin anew. Not reload(): the server must see that no person asked.
    if (!next.dataset.refresh) return location.replace(location.pathname + location.search);
    const links = () => [...page.querySelectorAll("a, button, summary")];
    const focused = links().indexOf(document.activeElement);
    page.innerHTML = next.innerHTML;
    links()[focused]?.focus({ preventScroll: true });
    wait(page);
  }

  function wait(page) {
    setTimeout(refresh, 1000 * page.dataset.refresh, page);
  }

  function start() {
    const page = document.querySelector(".page[data-refresh]");
    if (!page) return;
    page.addEventListener("input", () => { isEdited = true; });
    wait(page);
  }

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("sabot:shown", start);
})();
