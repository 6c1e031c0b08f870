import { compareIntervals, type Interval } from './interval.js';

/** What the visit rule needs to know of a detection of one species. */
export interface RuleDetection extends Interval {
  id: number;
  source: 'video' | 'audio';
  cameraId: string;
}

/** Detections of one species, in order, with no silence between them longer than the gap. */
export interface Run extends Interval {
  detections: RuleDetection[];
  hasVideo: boolean;
}

function openRun(detection: RuleDetection): Run {
  const { start, end, source } = detection;
  return { start, end, detections: [detection], hasVideo: source === 'video' };
}

function joinRun(run: Run, detection: RuleDetection): void {
  run.end = Math.max(run.end, detection.end);
  run.hasVideo ||= detection.source === 'video';
  run.detections.push(detection);
}

/** The runs, in order, of one species' detections, whatever their order. */
export function formRuns(detections: Iterable<RuleDetection>, gapMs: number): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const detection of [...detections].sort((a, b) => compareIntervals(a, b) || a.id - b.id)) {
    if (run !== undefined && detection.start <= run.end + gapMs) {
      joinRun(run, detection);
      continue;
    }
    run = openRun(detection);
    runs.push(run);
  }
  return runs;
}
