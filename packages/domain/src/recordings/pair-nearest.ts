/**
 * Returns, for each number on the left, the index of its partner on the right: nearest pairs first, none farther apart
 * than `reach`, ties in order.
 */
export function pairNearest(
  left: readonly number[],
  right: readonly number[],
  reach: number,
): (number | undefined)[] {
  const partners = groupLast(pairValues(left, right, reach));
  const places = groupLast(right.map((value, index) => [value, index]));
  return left.map((value) => {
    const partner = partners.get(value)?.pop();
    return partner === undefined ? undefined : places.get(partner)?.pop();
  });
}

interface Point {
  readonly at: number;
  readonly isLeft: boolean;
  previous: Point | undefined;
  next: Point | undefined;
  isTaken: boolean;
}

interface Candidate {
  readonly distance: number;
  readonly first: Point;
  readonly second: Point;
}

function linkInOrder(left: readonly number[], right: readonly number[]): Point[] {
  const toPoint = (isLeft: boolean) => (at: number) => ({
    at,
    isLeft,
    previous: undefined,
    next: undefined,
    isTaken: false,
  });
  const points: Point[] = [...left.map(toPoint(true)), ...right.map(toPoint(false))];
  points.sort((a, b) => a.at - b.at);
  for (const [index, point] of points.entries()) {
    point.previous = points[index - 1];
    point.next = points[index + 1];
  }
  return points;
}

/** Sorts the nearest pair last; ties by position. */
const compareCandidates = (a: Candidate, b: Candidate) => b.distance - a.distance || b.first.at - a.first.at;

function insert(queue: Candidate[], candidate: Candidate): void {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = queue[middle];
    if (at && compareCandidates(at, candidate) < 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, candidate);
}

function toCandidate(first: Point | undefined, second: Point | undefined, reach: number): Candidate[] {
  if (!first || !second || first.isLeft === second.isLeft) return [];
  const distance = second.at - first.at;
  return distance <= reach ? [{ distance, first, second }] : [];
}

/** The nearest pair always consists of neighbours in sorted order, so only neighbours are compared. */
function pairValues(left: readonly number[], right: readonly number[], reach: number): [number, number][] {
  const points = linkInOrder(left, right);
  const queue = points.flatMap((point) => toCandidate(point, point.next, reach)).sort(compareCandidates);
  const pairs: [number, number][] = [];
  for (let best = queue.pop(); best; best = queue.pop()) {
    const { first, second } = best;
    if (first.isTaken || second.isTaken) continue;
    first.isTaken = true;
    second.isTaken = true;
    pairs.push(first.isLeft ? [first.at, second.at] : [second.at, first.at]);
    const { previous } = first;
    const { next } = second;
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    for (const candidate of toCandidate(previous, next, reach)) insert(queue, candidate);
  }
  return pairs;
}

function groupLast(entries: Iterable<readonly [number, number]>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [key, value] of entries) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  for (const group of groups.values()) group.sort((a, b) => b - a);
  return groups;
}
