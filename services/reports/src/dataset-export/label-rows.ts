import type { DatasetImage } from './dataset-image.js';

/** The columns of `labels.csv`. */
const columns = [
  'file',
  'split',
  'class',
  'species_id',
  'video_id',
  'detection_id',
  'track_id',
  'box',
  'confidence',
  'reviewed',
  'source_video',
];

/** The first row of `labels.csv`. */
export const labelHeader = `${columns.join(',')}\r\n`;

/** A text that others wrote, such that a spreadsheet does not take it for a formula. */
const neutral = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** A cell as RFC 4180 wants it. */
function toCell(value: string | number | boolean): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of a picture, one for each bird in it; the box is `x1 y1 x2 y2` in the frame of the video. */
export function labelRows(file: string, { recording, split, labels }: DatasetImage): string {
  const rows = labels.map(({ detection, class: { name, speciesId }, box }) => {
    const { id, trackId, confidence, reviewed } = detection;
    const bird = [
      speciesId,
      recording.videoId,
      id,
      neutral(trackId ?? ''),
      box.join(' '),
      confidence,
      reviewed,
    ];
    return [file, split, neutral(name), ...bird, neutral(recording.videoPath)].map(toCell).join(',');
  });
  return rows.map((row) => `${row}\r\n`).join('');
}
