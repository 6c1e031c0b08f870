import type { DataDay, DataRecording } from './data-day.js';
import { type DayPlan, planDays } from './day-plan.js';
import { formVisits } from './day-visits.js';
import { drawDetections, drawMainSpecies } from './draw-detections.js';
import { createRandom } from './random.js';
import { drawSlots, type Slot } from './recording-slots.js';
import { cameraIds, type Scale } from './scale.js';
import { speciesWeights } from './species-activity.js';

/** The ids of the next recording, detection and visit. */
interface NextIds {
  recording: number;
  detection: number;
  visit: number;
}

function pathOf(date: string, { camera, start }: Slot): string {
  const time = new Date(start).toISOString().slice(11, 23).replace(/\D/g, '');
  return `${date.replaceAll('-', '/')}/${time}_${cameraIds[camera] ?? ''}/video.mp4`;
}

function makeRecordings(plan: DayPlan, next: NextIds): DataRecording[] {
  const random = createRandom(`recordings of ${plan.date}`);
  const weights = speciesWeights(plan.dayOfYear);
  const latest: number[] = [];
  return drawSlots(random, plan).map((slot) => {
    const { camera, start, end, followsOn } = slot;
    const main = drawMainSpecies(random, latest[camera], followsOn, weights);
    latest[camera] = main;
    const detections = drawDetections(random, slot, main, weights).map((drawn) => {
      const id = next.detection;
      next.detection += 1;
      return { id, ...drawn };
    });
    const id = next.recording;
    next.recording += 1;
    return { id, camera, path: pathOf(plan.date, slot), start, end, detections };
  });
}

/** Yields the days of a scale, oldest first; only one day is in memory at a time. */
export function* generateDays(scale: Scale, plans: readonly DayPlan[] = planDays(scale)): Generator<DataDay> {
  const next: NextIds = { recording: 1, detection: 1, visit: 1 };
  for (const plan of plans) {
    const made = makeRecordings(plan, next);
    const visits = formVisits(made, next.visit);
    next.visit += visits.length;
    yield { ...plan, made, visits };
  }
}
