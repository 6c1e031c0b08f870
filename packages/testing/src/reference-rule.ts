import type { RuleDetection } from '@birdhub/domain/visits';

/** A visit of the reference implementation; ids are sorted. */
export interface ReferenceVisit {
  speciesId: number;
  start: number;
  end: number;
  maxSimultaneous: number;
  videoDetections: number;
  detectionIds: number[];
  attachedDetectionIds: number[];
}

type Tree = ReadonlyMap<number, number | null>;

const ids = (run: RuleDetection[]) => run.map((d) => d.id).sort((a, b) => a - b);
const startOf = (run: RuleDetection[]) => Math.min(...run.map((d) => d.start));
const endOf = (run: RuleDetection[]) => Math.max(...run.map((d) => d.end));
const silence = (a: { start: number; end: number }, b: { start: number; end: number }) =>
  Math.max(0, a.start - b.end, b.start - a.end);

/** Groups detections into runs, whose silences are not longer than the gap; runs are in any order. */
function connect(detections: RuleDetection[], gapMs: number): RuleDetection[][] {
  return detections.reduce<RuleDetection[][]>((runs, d) => {
    const isNear = (run: RuleDetection[]) => run.some((other) => silence(d, other) <= gapMs);
    return [...runs.filter((run) => !isNear(run)), [d, ...runs.filter(isNear).flat()]];
  }, []);
}

/** Returns the maximum number of video detections of one camera at the first instant of any of them; at least 1. */
function countSimultaneous(run: RuleDetection[]): number {
  const videos = run.filter((d) => d.source === 'video');
  const isPresent = (d: RuleDetection, at: number) => d.start <= at && at < Math.max(d.end, d.start + 1);
  const concurrentWith = (d: RuleDetection) =>
    videos.filter((o) => o.cameraId === d.cameraId && isPresent(o, d.start));
  return Math.max(1, ...videos.map((d) => concurrentWith(d).length));
}

const ancestors = (id: number, parentOf: Tree): number => {
  const parent = parentOf.get(id) ?? null;
  return parent === null ? 0 : 1 + ancestors(parent, parentOf);
};

/**
 * The visit rule of packages/domain/src/visits/README.md. Quadratic on purpose: the faster implementation is compared with
 * it.
 */
export function referenceVisits(
  detectionsBySpecies: ReadonlyMap<number, RuleDetection[]>,
  parentOf: Tree,
  gapMs: number,
): ReferenceVisit[] {
  const visits: ReferenceVisit[] = [];
  const species = [...detectionsBySpecies].sort(
    ([a], [b]) => ancestors(b, parentOf) - ancestors(a, parentOf),
  );
  for (const [speciesId, detections] of species) {
    for (const run of connect(detections, gapMs)) {
      const span = { start: startOf(run), end: endOf(run) };
      const videoDetections = run.filter((d) => d.source === 'video').length;
      const [host] = visits
        .filter((v) => parentOf.get(v.speciesId) === speciesId && silence(v, span) <= gapMs)
        .sort((a, b) => silence(a, span) - silence(b, span) || byTime(a, b));
      if (videoDetections === 0 && host !== undefined) host.attachedDetectionIds.push(...ids(run));
      else
        visits.push({
          speciesId,
          ...span,
          maxSimultaneous: countSimultaneous(run),
          videoDetections,
          detectionIds: ids(run),
          attachedDetectionIds: [],
        });
    }
  }
  for (const visit of visits) visit.attachedDetectionIds.sort((a, b) => a - b);
  return visits.sort(byTime);
}

function byTime(a: ReferenceVisit, b: ReferenceVisit): number {
  return a.start - b.start || a.end - b.end || a.speciesId - b.speciesId;
}
