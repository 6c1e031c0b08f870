/** The published form of a route: `/videos/:id` is `/videos/{id}`, `/recordings/*` is `/recordings/{path}`. */
export function toContractPath(pattern: string): string {
  return pattern.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}');
}

/** The route of a published path; with `isWildcard` the last parameter takes the rest of the path. */
export function toPathPattern(path: string, isWildcard: boolean): string {
  const open = isWildcard ? path.replace(/\{path\}$/, '*') : path;
  return open.replace(/\{(\w+)\}/g, ':$1');
}
