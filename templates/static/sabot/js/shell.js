// The chosen theme, applied before the page is shown; the menu on narrow screens; and what styles depend
// on data: data-css-size="40%" sets --size, since the page's policy allows no style attribute.
(() => {
  "use strict";

  const stored = "adminTheme";
  const icons = { light: "light_mode", dark: "dark_mode", auto: "computer" };
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  let theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem(stored)) ?? "auto";
  } catch {
    // No theme was chosen, or storage is unavailable.
  }

  function applyTheme() {
    const isDark = theme === "dark" || (theme === "auto" && prefersDark.matches);
    document.documentElement.classList.toggle("dark", isDark);
    for (const button of document.querySelectorAll("button[data-theme]")) {
      button.setAttribute("aria-pressed", button.dataset.theme === theme);
    }
    const icon = document.querySelector("[data-theme-icon]");
    if (icon) icon.textContent = icons[theme];
  }

  function chooseTheme(chosen) {
    theme = chosen;
    applyTheme();
    try {
      localStorage.setItem(stored, JSON.stringify(theme));
    } catch {
      // Until the page is left.
    }
  }

  // The open menu lies over its button, so a click beside it or Escape closes it.
  function openMenu(isOpen) {
    document.getElementById("menu-drawer")?.classList.toggle("is-open", isOpen);
    document.querySelector("button[data-opens-menu]")?.setAttribute("aria-expanded", isOpen);
  }

  function applyData(element) {
    for (const [name, value] of Object.entries(element.dataset)) {
      if (name.startsWith("css")) element.style.setProperty(`--${name.slice(3).toLowerCase()}`, value);
    }
  }

  const styled = "[data-css-size], [data-css-cards], [data-css-span], [data-css-alarm]";

  function applyAllData(root) {
    if (root.matches?.(styled)) applyData(root);
    root.querySelectorAll?.(styled).forEach(applyData);
  }

  applyTheme();
  prefersDark.addEventListener("change", applyTheme);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(applyAllData);
  }).observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    applyTheme();
    document.querySelector("#nav-sidebar-apps [aria-current]")?.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-theme]");
    if (button) chooseTheme(button.dataset.theme);
    if (!event.target.closest("#menu-drawer")) openMenu(Boolean(event.target.closest("[data-opens-menu]")));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") openMenu(false);
  });
})();
