/** One hour of a clock of 24 as an SVG path around (0, 0), midnight on top. */
export interface Wedge {
  readonly hour: number;
  readonly count: number;
  readonly path: string;
}

const hours = 24;
/** Share of an hour's angle that stays free between two wedges. */
const gap = 0.16;

const at = (radius: number, turn: number): string => {
  const angle = (turn / hours) * 2 * Math.PI;
  return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
};

function wedgePath(hour: number, inner: number, outer: number): string {
  const [from, to] = [hour + gap / 2, hour + 1 - gap / 2];
  return [
    `M${at(inner, from)}`,
    `L${at(outer, from)}`,
    `A${outer.toFixed(2)} ${outer.toFixed(2)} 0 0 1 ${at(outer, to)}`,
    `L${at(inner, to)}`,
    `A${inner} ${inner} 0 0 0 ${at(inner, from)}Z`,
  ].join('');
}

/** Wedges whose areas are as the counts, between an inner and an outer radius; none for hours without any. */
export function hourWedges(counts: readonly number[], inner: number, outer: number): Wedge[] {
  const most = Math.max(1, ...counts);
  return counts.flatMap((count, hour) => {
    if (count === 0) return [];
    const radius = Math.sqrt(inner ** 2 + (count / most) * (outer ** 2 - inner ** 2));
    return [{ hour, count, path: wedgePath(hour, inner, radius) }];
  });
}

/** The hour with the most, the first of several; undefined when there is nothing at all. */
export function busiestHour(counts: readonly number[]): number | undefined {
  const most = Math.max(0, ...counts);
  return most === 0 ? undefined : counts.indexOf(most);
}
