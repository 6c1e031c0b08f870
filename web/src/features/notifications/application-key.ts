/** The bytes that a text in base64url stands for. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Whether a browser subscribed with this key of the hub; one that does not say is believed. */
export function isKeyOf(options: PushSubscriptionOptions, key: Uint8Array): boolean {
  if (options.applicationServerKey === null) return true;
  const own = new Uint8Array(options.applicationServerKey);
  return own.length === key.length && own.every((byte, place) => byte === key[place]);
}
