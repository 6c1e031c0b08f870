/** Path below which the hub answers, without a slash at its end: what `<base>` of the page says. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Address of a path of the hub, such as those that its answers name. */
export function hubUrl(path: string): string {
  return path.startsWith(`${basePath}/`) ? path : `${basePath}${path}`;
}
