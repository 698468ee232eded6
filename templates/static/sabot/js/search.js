// Shows what matches under the search field while somebody types; arrows choose, Enter opens.
(() => {
  "use strict";

  const PAUSE = 150; // milliseconds without a key before the server is asked

  document.addEventListener("DOMContentLoaded", () => {
    const input = document.getElementById("find");
    const panel = document.getElementById("find-panel");
    if (!input || !panel) return;
    const form = input.form;
    let timer;
    let asked = 0;

    function toggle(open) {
      panel.hidden = !open;
    }

    async function ask() {
      const text = input.value.trim();
      const number = ++asked;
      if (!text) return toggle(false);
      const query = new URLSearchParams({ q: text, panel: "" });
      let answer;
      try {
        answer = await fetch(`${form.action}?${query}`, { redirect: "error" });
      } catch {
        return toggle(false); // logged out or offline: Enter asks for the page, which says so
      }
      if (number !== asked || !answer.ok) return;
      panel.innerHTML = await answer.text();
      toggle(true);
    }

    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, PAUSE);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        toggle(false);
        input.focus();
      }
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const places = [input, ...panel.querySelectorAll("a")];
      const step = event.key === "ArrowDown" ? 1 : -1;
      const next = places.indexOf(document.activeElement) + step;
      event.preventDefault();
      places[(next + places.length) % places.length].focus();
    });
    form.addEventListener("focusout", (event) => {
      if (!form.contains(event.relatedTarget)) toggle(false);
    });
  });
})();
