const plainPrefix = /^(\/[\w.~-]+)*\/?$/;

/** A path prefix without the slash at its end. */
export function trimPrefix(prefix: string): string {
  return prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
}

/**
 * What a browser must put before `/api/...`: the part that a trusted proxy took off, then `BASE_PATH`.
 * A header that is no plain path is taken for absent: it ends up in redirects.
 */
export function publicPrefix(forwardedPrefix: string | undefined, basePath: string): string {
  const isPlain = forwardedPrefix !== undefined && plainPrefix.test(forwardedPrefix);
  return isPlain ? trimPrefix(forwardedPrefix) + basePath : basePath;
}
