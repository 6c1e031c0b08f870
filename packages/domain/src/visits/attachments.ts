import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { SpeciesTree } from '../species/directory.js';
import type { RollupDeltas, StoredVisit, VisitRule } from './plan.js';
import { cover, type Interval, nearestVisit } from './rule.js';
import { type ChangedSpan, type Neighbourhood, visitJson } from './visits.store.js';

/** An audio-only run that belongs to the visit of a child species, the host. */
export interface AttachedRow extends Interval {
  readonly speciesId: number;
  readonly hostId: number;
}

/**
 * Temporarily converts the attached runs near a change to visits: those of the changed species and those of its
 * ancestors. The rule is then applied without attached runs. Returns the detached runs, which have to be attached
 * again.
 */
export async function detachNear(
  client: pg.ClientBase,
  tree: SpeciesTree,
  spans: readonly ChangedSpan[],
  { rule, visits }: Neighbourhood,
  deltas: RollupDeltas,
): Promise<AttachedRow[]> {
  const all: AttachedRow[] = [];
  for (const span of spans) {
    const touched = visits.filter((visit) => visit.speciesId === span.speciesId);
    let region = cover([span, ...touched]);
    for (const speciesId of [span.speciesId, ...tree.ancestorsOf(span.speciesId)]) {
      const reach = widen(region, rule.gapMs);
      const detached = await detachOf(client, speciesId, reach, deltas);
      const audioOnly = await listVisitsNear(client, [speciesId], reach, true);
      region = cover([region, ...detached, ...audioOnly]);
      all.push(...detached);
    }
  }
  return all;
}

/**
 * Attaches the audio-only visits near a change to visits of child species, from the leaves of the tree upwards. Returns
 * the host of each visit that became an attached run.
 */
export async function reattachNear(
  client: pg.ClientBase,
  tree: SpeciesTree,
  changed: readonly (Interval & { speciesId: number })[],
  { gapMs }: VisitRule,
  deltas: RollupDeltas,
): Promise<Map<number, number>> {
  const hosts = new Map<number, number>();
  const dirty = dirtySpans(changed);
  for (const speciesId of deepestFirst(tree, dirty.keys())) {
    const children = tree.childrenOf(speciesId);
    const spans = [speciesId, ...children].flatMap((id) => dirty.get(id) ?? []);
    const candidates = await listAudioOnlyNear(
      client,
      speciesId,
      spans.map((span) => widen(span, gapMs)),
    );
    for (const audioOnly of candidates) {
      const host = nearestVisit(
        audioOnly,
        await listVisitsNear(client, children, widen(audioOnly, gapMs)),
        gapMs,
      );
      if (!host) continue;
      const grown = await attachVisit(client, audioOnly, host.id);
      deltas.count(audioOnly.speciesId, audioOnly, -1);
      deltas.count(
        grown.speciesId,
        { ...grown, detectionCount: grown.detectionCount - audioOnly.detectionCount },
        -1,
      );
      deltas.count(grown.speciesId, grown, 1);
      hosts.set(audioOnly.id, host.id);
    }
    dirty.set(speciesId, [...(dirty.get(speciesId) ?? []), ...candidates]);
  }
  return hosts;
}

/** Converts all attached runs of some species to visits. */
export async function detachAll(
  client: pg.ClientBase,
  speciesIds: readonly number[],
  deltas: RollupDeltas,
): Promise<void> {
  const always = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
  for (const speciesId of speciesIds)
    await detach(client, await listAttached(client, speciesId, always), deltas);
}

async function detach(
  client: pg.ClientBase,
  runs: readonly AttachedRow[],
  deltas: RollupDeltas,
): Promise<void> {
  for (const run of runs) {
    const { visit, host } = await detachRun(client, run);
    deltas.count(visit.speciesId, visit, 1);
    deltas.count(host.speciesId, { ...host, detectionCount: host.detectionCount + visit.detectionCount }, -1);
    deltas.count(host.speciesId, host, 1);
  }
}

async function detachOf(
  client: pg.ClientBase,
  speciesId: number,
  region: Interval,
  deltas: RollupDeltas,
): Promise<AttachedRow[]> {
  const runs = await listAttached(client, speciesId, region);
  await detach(client, runs, deltas);
  return runs;
}

function dirtySpans(changed: readonly (Interval & { speciesId: number })[]) {
  const dirty = new Map<number, Interval[]>();
  for (const { speciesId, start, end } of changed) {
    dirty.set(speciesId, [...(dirty.get(speciesId) ?? []), { start, end }]);
  }
  return dirty;
}

function deepestFirst(tree: SpeciesTree, species: Iterable<number>): number[] {
  const all = new Set([...species].flatMap((id) => [id, ...tree.ancestorsOf(id)]));
  return [...all].sort((a, b) => tree.ancestorsOf(b).length - tree.ancestorsOf(a).length || a - b);
}

async function listAudioOnlyNear(
  client: pg.ClientBase,
  speciesId: number,
  regions: readonly Interval[],
): Promise<StoredVisit[]> {
  const found = new Map<number, StoredVisit>();
  for (const region of regions) {
    for (const visit of await listVisitsNear(client, [speciesId], region, true)) found.set(visit.id, visit);
  }
  return [...found.values()];
}

const widen = ({ start, end }: Interval, byMs: number): Interval => ({
  start: start - byMs,
  end: end + byMs,
});

/** Lists the attached runs of a species that overlap a span. */
async function listAttached(
  client: pg.ClientBase,
  speciesId: number,
  span: Interval,
): Promise<AttachedRow[]> {
  const { rows } = await client.query<AttachedRow>({
    name: 'list-attached-runs',
    text: `SELECT species_id AS "speciesId", visit_id AS "hostId", ${msSql('start_time')} AS start,
       ${msSql('end_time')} AS "end"
     FROM attached_runs_near($1, $2, $3) ORDER BY start_time`,
    values: [speciesId, at(span.start), at(span.end)],
  });
  return rows;
}

/** Lists the visits of some species that overlap a span; optionally only audio-only ones. */
async function listVisitsNear(
  client: pg.ClientBase,
  speciesIds: readonly number[],
  span: Interval,
  isAudioOnly = false,
): Promise<StoredVisit[]> {
  const { rows } = await client.query<{ visit: StoredVisit }>({
    name: 'list-visits-near',
    text: `SELECT ${visitJson('visit')} AS visit
     FROM unnest($1::int[]) AS of_species (id), visits_near(of_species.id, $2, $3) AS visit
     WHERE NOT $4 OR visit.video_count = 0 ORDER BY visit.start_time, visit.species_id`,
    values: [speciesIds, at(span.start), at(span.end), isAudioOnly],
  });
  return rows.map((row) => row.visit);
}

/** Lists the audio-only visits of a species with a visit of one of the children within the gap. */
export async function listAudioOnlyBeside(
  client: pg.ClientBase,
  speciesId: number,
  childIds: readonly number[],
): Promise<StoredVisit[]> {
  const { rows } = await client.query<{ visit: StoredVisit }>(
    `SELECT ${visitJson('audio_only')} AS visit
     FROM (SELECT gap_ms * interval '1 ms' AS gap FROM visit_rule) rule
     JOIN species_visit audio_only ON audio_only.species_id = $1 AND audio_only.video_count = 0
     WHERE EXISTS (
       SELECT FROM unnest($2::int[]) AS child (id), visits_near(child.id, audio_only.start_time - gap, audio_only.end_time + gap))
     ORDER BY audio_only.start_time`,
    [speciesId, childIds],
  );
  return rows.map((row) => row.visit);
}

/** Converts an attached run to a visit. Returns that visit, and the host without it. */
async function detachRun(
  client: pg.ClientBase,
  run: AttachedRow,
): Promise<{ visit: StoredVisit; host: StoredVisit }> {
  const { rows } = await client.query<{ visit: StoredVisit; host: StoredVisit }>({
    name: 'detach-run',
    text: `WITH own AS MATERIALIZED (
       SELECT id FROM detection
       WHERE visit_id = $2 AND species_id = $1 AND start_time >= $3 AND end_time <= $4),
     visit AS (
       INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
       SELECT $1, $3, $4, 1, count(*), 0 FROM own RETURNING *),
     moved AS (UPDATE detection SET visit_id = visit.id FROM own, visit WHERE detection.id = own.id),
     gone AS (DELETE FROM attached_run WHERE species_id = $1 AND start_time = $3),
     host AS (
       UPDATE species_visit SET detection_count = species_visit.detection_count - visit.detection_count
       FROM visit WHERE species_visit.id = $2 RETURNING species_visit.*)
     SELECT ${visitJson('visit')} AS visit, ${visitJson('host')} AS host FROM visit, host`,
    values: [run.speciesId, run.hostId, at(run.start), at(run.end)],
  });
  const [row] = rows;
  if (!row) throw new Error(`the host visit ${run.hostId} of an attached run is missing`);
  return row;
}

/** Converts an audio-only visit to a run attached to another visit. Returns the updated host. */
async function attachVisit(
  client: pg.ClientBase,
  audioOnly: StoredVisit,
  hostId: number,
): Promise<StoredVisit> {
  await client.query('UPDATE detection SET visit_id = $2 WHERE visit_id = $1', [audioOnly.id, hostId]);
  await client.query('DELETE FROM species_visit WHERE id = $1', [audioOnly.id]);
  await client.query(
    'INSERT INTO attached_run (species_id, start_time, end_time, visit_id) VALUES ($1, $2, $3, $4)',
    [audioOnly.speciesId, at(audioOnly.start), at(audioOnly.end), hostId],
  );
  const { rows } = await client.query<{ host: StoredVisit }>({
    name: 'count-attached-run',
    text: `UPDATE species_visit AS host SET detection_count = detection_count + $2 WHERE id = $1 RETURNING ${visitJson('host')} AS host`,
    values: [hostId, audioOnly.detectionCount],
  });
  const [row] = rows;
  if (!row) throw new Error(`the host visit ${hostId} of a run is missing`);
  return row.host;
}

function at(instant: number): string {
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  return instant < 0 ? '-infinity' : 'infinity';
}
