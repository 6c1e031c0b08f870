/** Returns a function that tells whether a path of the build context, or a folder above it, is ignored. */
export function parseDockerignore(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const patterns = lines.map(toPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function toPattern(line: string): RegExp {
  const isAnywhere = line.startsWith('**/');
  const plain = (isAnywhere ? line.slice(3) : line).replace(/[.+]/g, '\\$&').replace(/\*/g, '[^/]*');
  return new RegExp(`^${isAnywhere ? '(.*/)?' : ''}${plain}(/|$)`);
}
