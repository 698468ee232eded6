// Decisions that are signed: asks the server what to sign, the person's key for its signature, and
// sends the form with it. A key in this browser comes before a security key. ``data-signed`` marks a form, or one of its buttons.
(() => {
  "use strict";

  const PARTS = ["clientDataJSON", "authenticatorData", "signature"];
  const { bytes, text } = window.base64url;

  async function prepare(form, button) {
    const answer = await fetch(button?.hasAttribute("formaction") ? button.formAction : form.action, {
      method: "POST",
      body: new FormData(form, button),
      headers: { "X-Sabot-Signature": "prepare" },
    });
    return answer.json();
  }

  async function askSecurityKey(options) {
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

  async function sign({ browserKeys, publicKey }) {
    const here = browserKeys && await window.browserKeys.sign(browserKeys);
    return here || (publicKey ? askSecurityKey(publicKey) : null);
  }

  function add(form, name, value) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }

  function fail(form, message) {
    const place = form.querySelector("[data-signature-failed]");
    place.textContent = message || place.dataset.cancelled;
    place.hidden = false;
    delete form.dataset.signing;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target, button = event.submitter;
    if (!form.matches("[data-signed]") && !button?.matches("[data-signed]")) return;
    event.preventDefault();
    if (form.dataset.signing) return; // a second click
    form.dataset.signing = "now";
    try {
      const prepared = await prepare(form, button);
      if (prepared.error) {
        fail(form, prepared.error);
        return;
      }
      const assertion = await sign(prepared);
      if (assertion) add(form, "assertion", assertion);
      else if (prepared.browserKeys) {
        fail(form, form.querySelector("[data-signature-failed]").dataset.elsewhere);
        return;
      }
      Object.entries(prepared.fields || {}).forEach(([name, value]) => add(form, name, value));
    } catch {
      fail(form);
      return;
    }
    if (button?.name) add(form, button.name, button.value);
    if (button?.hasAttribute("formaction")) form.action = button.formAction;
    form.submit();
  });
})();
