import { type TimelineFilter, unlinkedOfWindow, visitsOfWindow } from '@birdhub/domain/timeline';
import { itemColumns, timelineItemsSql } from './timeline-items-sql.js';

/** How many parameters stand before those of the filters. */
const fixedParameters = 6;

/** Front ends show the species of every item, so an unlinked recording stands under the generic bird. */
const candidates = (filters: readonly TimelineFilter[]) => `
    SELECT ${itemColumns}
    FROM (${visitsOfWindow(filters, fixedParameters + 1)}) visit
    UNION ALL
    SELECT -id, start_time, end_time, (SELECT species_id FROM species_alias WHERE key = 'bird'), 0, 0
    FROM (${unlinkedOfWindow(filters, fixedParameters + 1)}) video`;

/**
 * The statement of a set of filters. Parameters: window start, window end, place of the last item before (start, id; or
 * null), limit (or null), most bytes, filters.
 */
export const timelineSql = (filters: readonly TimelineFilter[]): string =>
  timelineItemsSql(
    `
    SELECT * FROM (${candidates(filters)}) found
    WHERE $3::timestamptz IS NULL OR (start_time, id) < ($3, $4::bigint)`,
    '$5',
    '$6',
  );
