// Feed upload: rejects files that are too large and shows the progress. The form also works without
// JavaScript.
(() => {
  "use strict";

  // django-unfold expects its own field next to each file field and fails without it.
  document.addEventListener("change", (event) => {
    if (event.target.matches(".page input[type=file]")) event.stopPropagation();
  }, true);

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.upload");
    if (!form) return;
    const file = form.elements.file.files[0];
    if (!file) return;
    event.preventDefault();
    const progress = form.querySelector(".upload-progress");
    progress.hidden = false;
    if (file.size > Number(form.dataset.most)) {
      progress.lastElementChild.textContent = form.dataset.tooLarge;
      return;
    }
    send(form, progress);
  });

  function send(form, progress) {
    const request = new XMLHttpRequest();
    const [bar, label] = progress.children;
    form.querySelector("button").disabled = true;
    request.upload.addEventListener("progress", (event) => {
      bar.value = Math.floor((event.loaded * 100) / event.total);
      label.textContent = `${bar.value} %`;
    });
    request.addEventListener("load", () => {
      window.location.assign(request.getResponseHeader("X-Lead-To") || window.location.href);
    });
    request.addEventListener("error", () => form.submit());
    request.open("POST", form.action);
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.send(new FormData(form));
  }
})();
