/** Base path of the hub without a trailing slash, from the page's `<base>`. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Resolves a root-relative or relative path of the hub against its base path. */
export function hubUrl(path: string): string {
  if (!path.startsWith('/')) return `${basePath}/${path}`;
  return path.startsWith(`${basePath}/`) ? path : `${basePath}${path}`;
}
