import { formRuns, maxSimultaneous, type RuleDetection, type Run } from '@birdhub/domain/visits';
import type { DataRecording, DataVisit } from './data-day.js';
import { cameraIds, visitGapMs } from './scale.js';

function bySpecies(recordings: readonly DataRecording[]): Map<number, RuleDetection[]> {
  const groups = new Map<number, RuleDetection[]>();
  for (const { camera, start, detections } of recordings) {
    for (const { id, species, source, startOffset, endOffset } of detections) {
      const group = groups.get(species) ?? [];
      groups.set(species, group);
      const cameraId = cameraIds[camera] ?? '';
      group.push({ id, source, cameraId, start: start + startOffset, end: start + endOffset });
    }
  }
  return groups;
}

function toVisit(species: number, { start, end, detections }: Run): Omit<DataVisit, 'id'> {
  return {
    species,
    start,
    end,
    maxSimultaneous: maxSimultaneous(detections),
    detectionIds: detections.map(({ id }) => id),
    videoCount: detections.filter(({ source }) => source === 'video').length,
  };
}

/** Returns the visits of a day's recordings by the rule of the hub, in order of their start, numbered from `firstId`. */
export function formVisits(recordings: readonly DataRecording[], firstId: number): DataVisit[] {
  return [...bySpecies(recordings)]
    .flatMap(([species, detections]) => formRuns(detections, visitGapMs).map((run) => toVisit(species, run)))
    .sort((a, b) => a.start - b.start || a.species - b.species)
    .map((visit, index) => ({ id: firstId + index, ...visit }));
}
