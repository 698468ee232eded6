// Passkeys: passes the WebAuthn options to the browser and its response to the form. A key in the
// browser answers the same challenge.
(() => {
  "use strict";

  const PARTS = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const { bytes, text } = window.base64url;
  const withBytes = (credentials) => (credentials || []).map(
    (credential) => ({ ...credential, id: bytes(credential.id) }),
  );

  function request(options) {
    const publicKey = { ...options.publicKey, challenge: bytes(options.publicKey.challenge) };
    if (!publicKey.user) {
      publicKey.allowCredentials = withBytes(publicKey.allowCredentials);
      return navigator.credentials.get({ publicKey });
    }
    publicKey.user = { ...publicKey.user, id: bytes(publicKey.user.id) };
    publicKey.excludeCredentials = withBytes(publicKey.excludeCredentials);
    return navigator.credentials.create({ publicKey });
  }

  function serialize(credential) {
    const response = {};
    for (const part of PARTS) {
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
    const button = event.target.closest("button[data-passkey], button[data-browser-key]");
    if (!button) return;
    const form = button.form;
    const failed = form.querySelector("[data-passkey-failed]");
    failed.hidden = true;
    const others = [...form.elements].filter((field) => field.name !== "code");
    if (others.some((field) => !field.reportValidity())) return;
    try {
      if (button.dataset.browserKey) {
        const { challenge } = JSON.parse(button.dataset.browserKey).publicKey;
        form.elements.browser_key.value = await window.browserKeys.create(challenge);
      } else {
        form.elements.credential.value = serialize(await request(JSON.parse(button.dataset.passkey)));
      }
    } catch {
      failed.hidden = false;
      return;
    }
    form.submit();
  });
})();
