import { describeVisit, type TimelineItem } from '../../components/visits/describe-visit';

/** A picture of a bird of a species: the detection, and the recording that it is from. */
export interface Crop {
  readonly detectionId: number;
  readonly videoId: number;
  readonly startTime: string;
}

/** The best picture of each visit that one was seen in, the surest first, at most so many. */
export function chooseCrops(visits: readonly TimelineItem[], most: number): Crop[] {
  return visits
    .flatMap((visit) => describeVisit(visit).best ?? [])
    .sort((one, other) => other.confidence - one.confidence)
    .slice(0, most)
    .map(({ id, video_id, start_time }) => ({ detectionId: id, videoId: video_id, startTime: start_time }));
}
