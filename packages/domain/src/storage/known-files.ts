import type pg from 'pg';
import { JobFailedError } from '../jobs/job.js';
import { jobProblem, problemInEnglish } from '../jobs/job-problems.js';
import { statMediaFile } from '../media/recording-files.js';
import { walkTree } from './recordings-tree.js';

/** Dependencies of {@link hasKnownFiles}. */
export interface KnownFilesDeps {
  readonly pool: pg.Pool | pg.ClientBase;
  readonly recordingsDir: string;
}

const sampleSize = 200;
/** With fewer known files, only an empty tree counts as an absent disk. */
const minSample = 20;
const minPresentShare = 0.05;

const sampleSql = `
  SELECT video_path AS "videoPath" FROM video WHERE media = 'ready' ORDER BY random() LIMIT ${sampleSize}`;

/** Whether the disk of the recordings seems to be mounted. */
export const hasKnownFiles = async (deps: KnownFilesDeps) => (await findAbsence(deps)) === undefined;

/**
 * Requires that {@link hasKnownFiles}.
 * @throws JobFailedError recordings_absent
 */
export async function requireKnownFiles(deps: KnownFilesDeps): Promise<void> {
  const absence = await findAbsence(deps);
  if (!absence) return;
  const problem = jobProblem('recordings_absent', absence);
  throw new JobFailedError(problemInEnglish(problem), [problem]);
}

/** Throws while the disk of the recordings seems not to be mounted. */
export type MountCheck = (pool: KnownFilesDeps['pool']) => Promise<void>;

/** Returns a function that calls {@link requireKnownFiles} once and then has the same outcome. */
export function createMountCheck(recordingsDir: string): MountCheck {
  let checked: Promise<void> | undefined;
  return (pool) => {
    checked ??= requireKnownFiles({ pool, recordingsDir });
    return checked;
  };
}

/**
 * Returns undefined when at least one in twenty of the known files is there, or any file if few are known. A random sample
 * of the recordings that have a file is checked.
 */
async function findAbsence({ pool, recordingsDir }: KnownFilesDeps) {
  const { rows } = await pool.query<{ videoPath: string }>(sampleSql);
  if (!rows.length) return undefined;
  const found = await Promise.all(rows.map(({ videoPath }) => statMediaFile(recordingsDir, videoPath)));
  const present = found.filter((file) => file !== undefined).length;
  const isAbsent =
    rows.length < minSample
      ? present === 0 && (await isEmpty(recordingsDir))
      : present < rows.length * minPresentShare;
  return isAbsent ? { present, checked: rows.length } : undefined;
}

async function isEmpty(recordingsDir: string): Promise<boolean> {
  for await (const found of walkTree(recordingsDir)) if (!('reason' in found)) return false;
  return true;
}
