import { dayMs, hourMs } from '@birdhub/shared/time';

/** The earliest start of a recording, in ms since the epoch. */
export const minRecordingStart = Date.UTC(2000, 0, 1);

/** The maximum length of a recording. */
export const maxRecordingMs = dayMs;

/** The maximum time by which a recording may be ahead of the hub's clock. */
export const maxAheadMs = dayMs;

/** The tolerance for detections past the end of their recording. */
export const slackSeconds = 60;

/** The detections of a recording end within this time after its start; an hour leaves room for the tolerance. */
export const maxReachMs = maxRecordingMs + hourMs;

const intervalSql = (ms: number) => `interval '${ms} milliseconds'`;

/** SQL: the maximum length of a recording. */
export const maxRecordingSql = intervalSql(maxRecordingMs);

/** SQL: the time after the start of a recording within which its detections end. */
export const maxReachSql = intervalSql(maxReachMs);
