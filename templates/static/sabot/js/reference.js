// API reference: Swagger UI for the OpenAPI document; no other host is contacted.
(() => {
  "use strict";

  const place = document.getElementById("reference");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", show);
  show();
  SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    deepLinking: true,
    docExpansion: "list",
    validatorUrl: null,
    persistAuthorization: false,
    presets: [SwaggerUIBundle.presets.apis],
  });
})();
