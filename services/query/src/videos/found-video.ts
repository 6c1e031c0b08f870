import { HubError } from '@birdhub/shared/errors';

/** The one row of a statement that looks for a recording: what was found, or whether a person deleted it. */
export type Sought<T> =
  | (T & { readonly isFound: true })
  | { readonly isFound: null; readonly isDeleted: boolean };

/**
 * A statement about one recording, `$1`, whose `found` has the columns that are asked for; it always answers a row.
 */
export const seekVideo = (found: string): string => `
  SELECT found.*, EXISTS (SELECT FROM deleted_video WHERE id = $1) AS "isDeleted"
  FROM (SELECT 1) asked LEFT JOIN LATERAL (${found}) found ON true`;

/** @throws HubError video_not_found, recording_deleted */
export function requireFound<T>(row: Sought<T> | undefined): T {
  if (row?.isFound) return row;
  throw new HubError(row?.isDeleted ? 'recording_deleted' : 'video_not_found');
}
