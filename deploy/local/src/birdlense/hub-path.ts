import { checkVideoPath } from '@birdhub/shared/media';

const publicFolder = 'data/recordings/';

/** Everything before the folder that recordings are in belongs to the machine that the old hub ran on. */
function cutMachine(path: string): string {
  const at = path.lastIndexOf(`/${publicFolder}`);
  return at < 0 ? path.replace(/^(?:\.\/)+/, '') : path.slice(at + 1);
}

/** The path under which this hub knows a file of the old one; undefined for one that it cannot have. */
export function toHubPath(path: string): string | undefined {
  const inHub = cutMachine(path);
  return inHub === '' || checkVideoPath(inHub) !== undefined ? undefined : inHub;
}
