// Uploading a feed: a file that is too large is not sent, and a bar shows how much of it has been.
// Without this the form works all the same.
(() => {
  "use strict";

  // django-unfold looks for its own field beside each file, and fails where there is none.
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
    const [bar, words] = progress.children;
    form.querySelector("button").disabled = true;
    request.upload.addEventListener("progress", (event) => {
      bar.value = Math.floor((event.loaded * 100) / event.total);
      words.textContent = `${bar.value} %`;
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
