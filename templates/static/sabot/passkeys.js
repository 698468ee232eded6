// Passkeys: the page's question goes to the browser, the browser's answer into the form.
(() => {
  "use strict";

  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0),
  );
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const withBytes = (known) => (known || []).map((one) => ({ ...one, id: bytes(one.id) }));

  function ask(question) {
    const publicKey = { ...question.publicKey, challenge: bytes(question.publicKey.challenge) };
    if (!publicKey.user) {
      publicKey.allowCredentials = withBytes(publicKey.allowCredentials);
      return navigator.credentials.get({ publicKey });
    }
    publicKey.user = { ...publicKey.user, id: bytes(publicKey.user.id) };
    publicKey.excludeCredentials = withBytes(publicKey.excludeCredentials);
    return navigator.credentials.create({ publicKey });
  }

  function answer(credential) {
    const response = {};
    for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (credential.response[part]) response[part] = text(credential.response[part]);
    }
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    });
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-passkey]");
    if (!button) return;
    const form = button.form;
    const failed = form.querySelector("[data-passkey-failed]");
    failed.hidden = true;
    const others = [...form.elements].filter((field) => field.name !== "code");
    if (others.some((field) => !field.reportValidity())) return;
    try {
      form.elements.credential.value = answer(await ask(JSON.parse(button.dataset.passkey)));
    } catch {
      failed.hidden = false;
      return;
    }
    form.submit();
  });
})();
