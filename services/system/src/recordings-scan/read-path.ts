import { firstInstantAt, isDay } from '@birdhub/shared/time';

const date = /(?<!\d)(20\d\d)([-_./]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])/g;
const time = /(?<!\d)([01]\d|2[0-3])([-_.:]?)([0-5]\d)\2([0-5]\d)(?!\d)/;
const extension = /\.[^./]*$/;

/** Milliseconds that a clock on the wall shows, as if in UTC. */
function readWall(parts: RegExpMatchArray, rest: string): number | undefined {
  const [, year, , month, day] = parts;
  const [, hour, , minute, second] = time.exec(rest) ?? [];
  const name = `${year}-${month}-${day}`;
  if (hour === undefined || !isDay(name)) return undefined;
  return Date.parse(`${name}T${hour}:${minute}:${second}Z`);
}

/**
 * When a recording began, in ms, as the names of its folders and its file tell in the zone of the hub:
 * `2026/05/01/081530/video.mp4`, `garden/2026-05-01_08-15-30.mp4` and the like. Of several dates the last counts
 * that a time comes after. Undefined when they do not tell.
 */
export function readPathTime(path: string, zone: string): number | undefined {
  const name = path.replace(extension, '');
  for (const found of [...name.matchAll(date)].reverse()) {
    const wall = readWall(found, name.slice(found.index + found[0].length));
    if (wall !== undefined) return firstInstantAt(zone, wall);
  }
  return undefined;
}

/** The camera that a folder of the path is named after; empty when there is none. */
export function readPathCamera(path: string, cameras: ReadonlySet<string>): string {
  return (
    path
      .split('/')
      .slice(0, -1)
      .find((folder) => cameras.has(folder)) ?? ''
  );
}
