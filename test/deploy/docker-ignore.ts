import { readFileSync } from 'node:fs';

/** Says of a path in the context whether `.dockerignore` leaves it out; what is below a name goes with it. */
export function readDockerIgnore(file: string): (path: string) => boolean {
  const lines = readFileSync(file, 'utf8').split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#')).map(toPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function toPattern(line: string): RegExp {
  const anywhere = line.startsWith('**/');
  const plain = (anywhere ? line.slice(3) : line).replace(/[.+]/g, '\\$&').replace(/\*/g, '[^/]*');
  return new RegExp(`^${anywhere ? '(.*/)?' : ''}${plain}(/|$)`);
}
