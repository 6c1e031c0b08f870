import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseFrame, cropName, cutPicture, derivedFolder, statMediaFile } from '@birdhub/domain/media';
import type { Frame } from '@birdhub/domain/recordings';
import pg from 'pg';
import { createRandom } from '../data-set/random.js';
import type { HubProcess } from './hub-process.js';

/** The files of stored crops, and their first day. */
export interface KeptCrops {
  readonly firstDate: string;
  readonly files: readonly string[];
}

interface SeenBird {
  readonly videoId: number;
  readonly videoPath: string;
  readonly id: number;
  readonly startOffset: number;
  readonly endOffset: number;
  readonly frames: readonly Frame[];
}

/** Finds the first of the last days that together have this number of birds with boxes. */
const firstDateSql = `
  SELECT day::text AS "firstDate" FROM (
    SELECT start_time::date AS day, sum(count(*)) OVER (ORDER BY start_time::date DESC) AS birds
    FROM detection JOIN detection_track ON detection_id = id GROUP BY 1
  ) counted WHERE birds >= $1 ORDER BY day DESC LIMIT 1`;

const birdsSql = `
  SELECT video.id::int AS "videoId", video_path AS "videoPath", detection.id::int, start_offset AS "startOffset",
    end_offset AS "endOffset", frames
  FROM video JOIN detection ON video_id = video.id JOIN detection_track ON detection_id = detection.id
  WHERE video.start_time >= $1::date ORDER BY video.start_time, video.id, detection.id`;

/** Width and height of the pictures, which result in files of 15 to 40 KB. */
const shapes = [
  [200, 150],
  [180, 220],
  [240, 180],
  [220, 240],
  [280, 210],
  [260, 260],
] as const;

/** Returns a picture of noise on a gradient, in the format of the hub. */
function drawPicture(width: number, height: number): Promise<Buffer> {
  const random = createRandom(`picture ${width} x ${height}`);
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1) data[at] = (at * 160) / data.length + random.float() * 40;
  return cutPicture({ data, width, height }, undefined);
}

async function findBirds(databaseUrl: string, count: number) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ firstDate: string }>(firstDateSql, [count]);
    const [found] = rows;
    if (!found) throw new Error(`the store has fewer than ${count} birds with boxes`);
    const birds = await client.query<SeenBird>(birdsSql, [found.firstDate]);
    return { ...found, birds: birds.rows };
  } finally {
    await client.end();
  }
}

/** Writes placeholder videos, whose content is never read, and crops for the birds of the last days. */
export async function keepCrops({ databaseUrl, dataDir }: HubProcess, count: number): Promise<KeptCrops> {
  const { firstDate, birds } = await findBirds(databaseUrl, count);
  const pictures = await Promise.all(shapes.map(([width, height]) => drawPicture(width, height)));
  const recordingsDir = join(dataDir, 'recordings');
  const files: string[] = [];
  for (const { videoId, videoPath, id, ...seen } of birds) {
    const folder = derivedFolder(dataDir, 'crops', videoId);
    let video = await statMediaFile(recordingsDir, videoPath);
    if (!video) {
      await mkdir(folder, { recursive: true });
      await mkdir(dirname(join(recordingsDir, videoPath)), { recursive: true });
      await writeFile(join(recordingsDir, videoPath), 'video');
      video = await statMediaFile(recordingsDir, videoPath);
    }
    if (!video) throw new Error(`${videoPath} was written but does not exist`);
    const crop = { videoId, detectionId: id, ...chooseFrame(seen) };
    const file = join(folder, cropName(crop, video));
    await writeFile(file, pictures[files.length % pictures.length] ?? '');
    files.push(file);
  }
  return { firstDate, files };
}
