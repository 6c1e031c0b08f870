import type { RuleDetection } from './visit-runs.js';

/** The most half-open intervals that hold one instant, each lasting at least 1 ms. */
function greatestOverlap(detections: RuleDetection[]): number {
  const starts = Float64Array.from(detections, ({ start }) => start).sort();
  const ends = Float64Array.from(detections, ({ start, end }) => Math.max(end, start + 1)).sort();
  let ended = 0;
  let greatest = 0;
  for (const [started, start] of starts.entries()) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= start) ended += 1;
    greatest = Math.max(greatest, started + 1 - ended);
  }
  return greatest;
}

/** The most birds that one camera saw at one instant; 1 for a visit that was only heard. */
export function maxSimultaneous(detections: Iterable<RuleDetection>): number {
  const byCamera = new Map<string, RuleDetection[]>();
  for (const detection of detections) {
    if (detection.source !== 'video') continue;
    const seen = byCamera.get(detection.cameraId);
    if (seen === undefined) byCamera.set(detection.cameraId, [detection]);
    else seen.push(detection);
  }
  let greatest = 1;
  for (const seen of byCamera.values()) greatest = Math.max(greatest, greatestOverlap(seen));
  return greatest;
}
