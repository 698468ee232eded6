// On phones and tablets, a table wider than its panel shows each row as a block, so that no column
// has to be searched sideways. Without JavaScript such a table scrolls, as does one with many
// columns that is marked by data-scrolls.
(() => {
  "use strict";

  const narrow = matchMedia("(max-width: 64rem)");

  function nameCells(table) {
    const names = [];
    for (const heading of table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? []) {
      const name = heading.querySelector(".sr-only") ? "" : heading.textContent.trim();
      names.push(...Array(heading.colSpan).fill(name));
    }
    for (const row of [...table.tBodies, table.tFoot].flatMap((part) => [...(part?.rows ?? [])])) {
      let column = 0;
      for (const cell of row.cells) {
        const isEmpty = !cell.childElementCount && !cell.textContent.trim();
        if (!isEmpty) cell.dataset.column = (cell.colSpan === 1 && names[column]) || "";
        column += cell.colSpan;
      }
    }
  }

  function show() {
    for (const table of document.querySelectorAll(".scroll > table.rows:not([data-scrolls])")) {
      table.classList.remove("is-narrow");
      if (!narrow.matches) continue; // before the layout is computed, which takes longest
      if (table.parentElement.scrollWidth <= table.parentElement.clientWidth) continue;
      nameCells(table);
      table.classList.add("is-narrow");
    }
  }

  let frame = 0;

  function plan() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  }

  function start() {
    show();
    document.fonts.ready.then(show);
    addEventListener("resize", plan);
    new MutationObserver(plan).observe(document.body, { childList: true, subtree: true });
  }

  document.addEventListener("DOMContentLoaded", start);
})();
