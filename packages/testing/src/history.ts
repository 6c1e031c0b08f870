import { rebuildVisits } from '@birdhub/domain/visits';
import type pg from 'pg';
import type { HistoryStep } from './arbitrary-steps.js';
import { historySpecies } from './arbitrary-steps.js';
import { emptyTables, recordingTables } from './empty-tables.js';
import { ReferenceVerdicts, type StoredVerdict } from './reference-verdicts.js';
import { aDetection, aRecording, createTestWriter, testAuthor } from './writer.js';

const base = Date.UTC(2026, 4, 1, 23, 50);

/** The provider of detections that are posted as reviewed. */
const reviewer = 'reviewer';

const verdictsSql = `
  SELECT detection.id, posted.id AS "postedSpeciesId",
    detection_provider IS NOT DISTINCT FROM '${reviewer}' AS "postedReviewed", species_id AS "speciesId", reviewed,
    source || ' ' || track_id AS track, video_id AS "videoId", visit_id AS "visitId", original_species_id AS original
  FROM detection JOIN species posted ON posted.name = posted_name ORDER BY detection.id`;

/** Applies random steps to a hub, and their verdicts also to the reference. */
export async function createHistory(pool: pg.Pool) {
  const { writer, directory, notifier } = createTestWriter(pool);
  const speciesIds = await directory.resolve(historySpecies);
  const parents = { Parent: 'Grand', 'First Child': 'Parent', 'Second Child': 'Parent' };
  for (const [child, parent] of Object.entries(parents)) {
    const ids = [child, parent].map((name) => speciesIds.get(name));
    await pool.query('UPDATE species SET parent_id = $2 WHERE id = $1', ids);
  }
  directory.forget();
  let reference = new ReferenceVerdicts();

  const listVerdicts = async () => (await pool.query<StoredVerdict>(verdictsSql)).rows;
  const pick = <T>(rows: readonly T[], choice: number) => rows[choice % Math.max(1, rows.length)];

  async function post({ key, camera, start: after, rows }: HistoryStep<'post'>): Promise<void> {
    const start = base + after * 1000;
    const recording = aRecording({
      start,
      end: start + 60_000,
      videoPath: `${key}.mp4`,
      cameraId: camera,
      detections: rows.map(({ length, ...row }) =>
        aDetection({
          ...row,
          endOffset: row.startOffset + length,
          provider: row.reviewed ? reviewer : null,
        }),
      ),
    });
    const twice = [writer.post(recording, 'test'), writer.post(recording, 'test')] as const;
    const [{ videoId, deleted }] = await Promise.all(twice);
    if (deleted) return;
    const stored = await listVerdicts();
    reference.post(
      videoId,
      stored.filter((row) => row.videoId === videoId),
    );
  }

  async function remove({ choice }: HistoryStep<'remove'>): Promise<void> {
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM video ORDER BY id');
    const chosen = pick(rows, choice);
    if (!chosen) return;
    await writer.remove(chosen.id, testAuthor);
    reference.remove(chosen.id);
  }

  async function revert(chosen: StoredVerdict): Promise<void> {
    const code = await writer.revert(chosen.id, testAuthor).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    const expected = reference.revert(chosen) ? 'done' : 'conflict';
    if (code !== expected) throw new Error(`reverting a verdict resulted in ${code} instead of ${expected}`);
  }

  async function review(step: HistoryStep<'correct' | 'confirm' | 'revert'>): Promise<void> {
    const all = await listVerdicts();
    const chosen = pick(all, step.choice);
    if (!chosen) return;
    if (step.kind === 'revert') return revert(chosen);
    const { id, videoId, track, visitId } = chosen;
    const ofTrack = all.filter(
      (row) => row.id === id || (row.videoId === videoId && track !== null && row.track === track),
    );
    if (step.kind === 'confirm') {
      reference.confirm(ofTrack, chosen);
      await writer.confirm(id, testAuthor);
      return;
    }
    const { scope } = step;
    const speciesId = speciesIds.get(step.speciesName) ?? 0;
    reference.correct(scope === 'visit' ? all.filter((row) => row.visitId === visitId) : ofTrack, speciesId);
    await writer.correct({ detectionId: id, speciesId, scope }, testAuthor);
  }

  async function apply(step: HistoryStep): Promise<void> {
    if (step.kind === 'post') return post(step);
    if (step.kind === 'remove') return remove(step);
    if (step.kind !== 'gap') return review(step);
    await rebuildVisits({ pool, directory, notifier }, { rule: { gapMs: step.gapMs, timezone: 'UTC' } });
  }

  return {
    writer,
    async clear() {
      await emptyTables(pool, recordingTables);
      await pool.query('UPDATE visit_rule SET gap_ms = 60000');
      reference = new ReferenceVerdicts();
    },
    async run(steps: readonly HistoryStep[]) {
      for (const step of steps) await apply(step);
    },
    /** Returns the stored verdicts; `expectedVerdicts` returns those of the reference. */
    listVerdicts,
    expectedVerdicts: () => reference.expected(),
  };
}
