// Decisions that are signed: asks the server what to sign, the security key for its signature, and
// sends the form with it.
(() => {
  "use strict";

  const PARTS = ["clientDataJSON", "authenticatorData", "signature"];

  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0),
  );
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  async function prepare(form, address) {
    const answer = await fetch(address, {
      method: "POST",
      body: new FormData(form),
      headers: { "X-Sabot-Signature": "prepare" },
    });
    return answer.json();
  }

  async function sign(options) {
    const credential = await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        allowCredentials: options.allowCredentials.map((key) => ({ ...key, id: bytes(key.id) })),
      },
    });
    const response = Object.fromEntries(PARTS.map((part) => [part, text(credential.response[part])]));
    return JSON.stringify({ rawId: text(credential.rawId), response });
  }

  function fail(form, message) {
    const place = form.querySelector("[data-signature-failed]");
    place.textContent = message || place.dataset.cancelled;
    place.hidden = false;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-signed]");
    if (!form) return;
    event.preventDefault();
    const address = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : form.action;
    try {
      const prepared = await prepare(form, address);
      if (prepared.error) {
        fail(form, prepared.error);
        return;
      }
      if (prepared.publicKey) {
        form.elements.assertion.value = await sign(prepared.publicKey);
        form.elements.decided_at.value = prepared.decided_at;
      }
    } catch {
      fail(form);
      return;
    }
    form.action = address;
    form.submit();
  });
})();
