import { detailSql } from '../../../services/query/src/videos/video.store.js';
import { ingestRecordingSql } from '../limits/ingest-sql.js';
import { timelineSql } from '../limits/timeline-sql.js';

/** Replaces parts of a statement. @throws when a part is missing, as the statement has changed */
function replaceIn(statement: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the statement does not contain "${from}"`);
    return text.replace(from, to);
  }, statement);
}

const inWindow =
  "start_time >= $1::timestamptz - interval '1 day' AND start_time < $2::timestamptz + interval '1 day'";
/** Looks rows up one by one, as the planner cannot estimate the number of rows in a window given by parameters. */
const oneByOne = (table: string, condition: string) =>
  `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} AND ${inWindow} OFFSET 0) ${table}`;

/** The timeline with its window as a condition on every table, so that only the partitions of its months are read. */
export const prunedTimelineSql = replaceIn(timelineSql, [
  ['JOIN detection ON visit_id = visit.id', oneByOne('detection', 'visit_id = visit.id')],
  ['JOIN video ON video.id = video_id', oneByOne('video', 'id = video_id')],
]);

const inHour = (table: string) =>
  `AND ${table}.start_time >= $2 AND ${table}.start_time < $2::timestamptz + interval '1 hour'`;

/** A recording by its id and its start ($2). */
export const prunedDetailSql = replaceIn(detailSql, [
  ['WHERE video.id = $1', 'WHERE video.id = $1 AND video.start_time = $2::timestamptz'],
  [
    'LEFT JOIN detection_track track ON track.detection_id = detection.id',
    'LEFT JOIN detection_track track ON track.detection_id = detection.id AND track.start_time = detection.start_time',
  ],
  [
    'ON food_id = id WHERE video_id = video.id',
    'ON food_id = id WHERE video_id = video.id AND video_food.start_time = $2',
  ],
  ['WHERE video_id = video.id)', `WHERE video_id = video.id ${inHour('detection')})`],
]);

/** Stores a recording in tables whose boxes have a time. */
export const monthlyIngestSql = replaceIn(ingestRecordingSql, [
  [
    '(detection_id, frames) SELECT id, frames::json FROM row',
    '(detection_id, frames, start_time) SELECT id, frames::json, start_time FROM row',
  ],
]);
