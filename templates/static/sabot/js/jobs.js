// Refreshes the list of background jobs until none is running.
(() => {
  "use strict";

  const INTERVAL_MS = 2000;

  async function refresh(list) {
    if (!list.isConnected) return; // the page was replaced, and its list is refreshed instead
    let answer;
    try {
      const response = await fetch(list.dataset.jobs, { headers: { Accept: "application/json" } });
      answer = await response.json();
    } catch {
      return; // logged out or offline: keep the current content
    }
    const focused = list.contains(document.activeElement) ? document.activeElement.href : null;
    list.innerHTML = answer.lines;
    if (focused) [...list.querySelectorAll("a")].find((link) => link.href === focused)?.focus();
    if (answer.running) setTimeout(refresh, INTERVAL_MS, list);
  }

  function start() {
    for (const list of document.querySelectorAll("[data-jobs][data-running]")) {
      setTimeout(refresh, INTERVAL_MS, list);
    }
  }

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("sabot:shown", start);
})();
