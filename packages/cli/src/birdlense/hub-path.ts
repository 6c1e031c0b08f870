import { canonicalVideoPath, checkVideoPath } from '@birdhub/domain/media';

const publicFolder = 'data/recordings/';

/** Everything before the folder that recordings are in belongs to the machine that the old hub ran on. */
function cutMachine(path: string): string {
  const relative = path.replace(/^(?:\.\/)+/, '');
  const at = relative.lastIndexOf(`/${publicFolder}`);
  if (relative.startsWith(publicFolder) || at < 0) return relative;
  // A folder of that name within the one of the recordings is cut with it, so that it is refused rather than passed over.
  const head = `${relative.slice(0, at)}/`;
  return head.endsWith(`/${publicFolder}`) ? publicFolder + relative.slice(at + 1) : relative.slice(at + 1);
}

/** The path under which this hub knows a file of the old one; undefined for one that it cannot have. */
export function toHubPath(path: string): string | undefined {
  const inHub = cutMachine(path);
  return inHub === '' || checkVideoPath(inHub) !== undefined ? undefined : canonicalVideoPath(inHub);
}
