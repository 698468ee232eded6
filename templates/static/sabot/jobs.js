// Long jobs go on while a page is open: their lines are asked for again until nothing runs.
(() => {
  "use strict";

  const MILLISECONDS = 2000;

  async function follow(list) {
    let answer;
    try {
      const response = await fetch(list.dataset.jobs, { headers: { Accept: "application/json" } });
      answer = await response.json();
    } catch {
      return; // logged out, or nobody answers: what stands there stays
    }
    const focused = list.contains(document.activeElement) ? document.activeElement.href : null;
    list.innerHTML = answer.lines;
    if (focused) [...list.querySelectorAll("a")].find((link) => link.href === focused)?.focus();
    if (answer.running) setTimeout(follow, MILLISECONDS, list);
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const list of document.querySelectorAll("[data-jobs][data-running]")) {
      setTimeout(follow, MILLISECONDS, list);
    }
  });
})();
