import type { components } from '../../api/schema';

/** How each part of the hub is. */
export type Status = components['schemas']['Status'];

/** The parts in the order of how much depends on them. */
export const parts = [
  'web',
  'processor',
  'video',
  'yolo',
  'storage',
  'mqtt',
  'esphome',
] as const satisfies readonly (keyof Status)[];

export type Part = (typeof parts)[number];

export type State = Status[Part];

/** What somebody should do about a part: only for states in which there is something to do. */
export function adviceKey(part: Part, state: State): `advice.${Part}` | undefined {
  return state === 'error' || (state === 'unknown' && part === 'processor') ? `advice.${part}` : undefined;
}

/** Whether a part that is not in use may be left out of sight. */
export const isIdle = (state: State): boolean => state === 'not_used' || state === 'not_configured';
