// SimpleBar, which comes with the theme, names what scrolls in English; pages are in Italian too.
SimpleBar.defaultOptions.ariaLabel = document.currentScript.dataset.label;
