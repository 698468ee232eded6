// Applies the chosen theme on pages that do not load the framework.
(() => {
  "use strict";
  let chosen = "auto";
  try {
    chosen = JSON.parse(localStorage.getItem("adminTheme")) ?? "auto";
  } catch {
    // No theme was chosen, or storage is unavailable.
  }
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (chosen === "dark" || (chosen === "auto" && isDark)) document.documentElement.classList.add("dark");
})();
