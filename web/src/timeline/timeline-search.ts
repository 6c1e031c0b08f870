import { type Day, isDay } from '../hub-time/days';

/** What the address of the timeline says: the day and what is shown of it. */
export interface TimelineSearch {
  readonly date?: Day;
  readonly camera_id?: string;
  readonly species_id?: number;
  readonly source?: 'video' | 'audio';
  readonly favorite?: true;
  readonly min_confidence?: number;
  /** One doubtful detection after the other, instead of the day. */
  readonly review?: 1;
}

const isPositiveInteger = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

/** Takes from an address what it may say; anything else is left out, so that an old link still opens. */
export function timelineSearch(raw: Record<string, unknown>): TimelineSearch {
  const { date, camera_id, species_id, source, favorite, min_confidence, review } = raw;
  const share = Number(min_confidence);
  return {
    ...(isDay(date) && { date }),
    ...(camera_id !== undefined && camera_id !== '' && { camera_id: String(camera_id) }),
    ...(isPositiveInteger(species_id) && { species_id }),
    ...((source === 'video' || source === 'audio') && { source }),
    ...((favorite === true || favorite === 1) && { favorite: true as const }),
    ...(share > 0 && share <= 1 && { min_confidence: share }),
    ...((review === 1 || review === true) && { review: 1 as const }),
  };
}
