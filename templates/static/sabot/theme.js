// Light or dark, as it was chosen on the other pages; these load no framework for it.
(() => {
  "use strict";
  let chosen = "auto";
  try {
    chosen = JSON.parse(localStorage.getItem("adminTheme")) ?? "auto";
  } catch {
    // Nothing was chosen, or the browser keeps nothing.
  }
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (chosen === "dark" || (chosen === "auto" && isDark)) document.documentElement.classList.add("dark");
})();
