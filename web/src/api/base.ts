/** Path below which the hub answers, without a slash at its end: what `<base>` of the page says. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Address of a path of the hub, such as those that its answers name: from its root, or relative to its address. */
export function hubUrl(path: string): string {
  if (!path.startsWith('/')) return `${basePath}/${path}`;
  return path.startsWith(`${basePath}/`) ? path : `${basePath}${path}`;
}
