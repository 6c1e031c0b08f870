import { randomUUID } from 'node:crypto';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { type Assignment, assignLabels, keysOfReading, type NewSpecies } from './assign-labels.js';
import { findChecklistSpecies } from './checklist.store.js';
import type { SpeciesDirectory } from './directory.js';
import { findLabel, type KnownNames } from './find-label.js';
import { type LabelReading, readLabel } from './labels.js';
import { ensureFamily } from './learn-labels.js';
import type { SpeciesPatch } from './species.store.js';
import type { SpeciesEditor } from './species-editor.js';

/** Dependencies of the species repair. */
export interface TidyDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly editor: SpeciesEditor;
}

/** A species created from a label that is the same as another species. */
export interface PlannedMerge {
  readonly kind: 'merge';
  readonly speciesId: number;
  readonly name: string;
  readonly intoId: number;
  readonly intoName: string;
}

/** A species created from a label that is listed in a checklist. */
export interface PlannedCompletion {
  readonly kind: 'complete';
  readonly speciesId: number;
  readonly name: string;
  readonly scientificName: string;
  readonly ebirdCode: string | null;
  readonly family: string | null;
  readonly familyName: string | null;
}

/** One step of the repair. */
export type TidyStep = PlannedMerge | PlannedCompletion;

/** The result of a repair. */
export interface TidyResult {
  /** Id of the run for {@link undoTidy}; null when there was nothing to do. */
  readonly tidyId: number | null;
  readonly merged: number;
  readonly completed: number;
  readonly movedDetections: number;
  /** Steps that failed, for example because a person changed the species meanwhile. */
  readonly skipped: number;
  /** Steps left for another run. */
  readonly remaining: number;
}

interface LooseSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
}

/** Species without a parent and a code, which were created from labels. */
const listLoose = `
  SELECT id, name, scientific_name AS "scientificName" FROM species
  WHERE merged_into IS NULL AND NOT generic AND rank = 'species' AND parent_id IS NULL AND ebird_code IS NULL
  ORDER BY id`;

/** Plans the repair: species that exist under several labels, and species that a checklist lists. */
export async function planTidy({
  pool,
  directory,
}: Pick<TidyDeps, 'pool' | 'directory'>): Promise<TidyStep[]> {
  const { names } = await directory.tree();
  const { rows } = await pool.query<LooseSpecies>(listLoose);
  const loose = new Set(rows.map(({ id }) => id));
  const readings = rows.map(readSpecies);
  const keys = readings.flatMap((reading) => keysOfReading(reading, names.region));
  const others = withoutSpecies(names, loose);
  const assigned = assignLabels(readings, others, await findChecklistSpecies(pool, keys));
  const groups = new Map<number, LooseSpecies[]>();
  for (const [at, row] of rows.entries()) {
    const reading = readings[at];
    const id = reading && findLabel(reading, assigned)?.id;
    if (id !== undefined) groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return [...groups].flatMap(([id, group]) => stepsOf(id, group, assigned, names));
}

const readSpecies = ({ name, scientificName }: LooseSpecies): LabelReading => {
  const reading = readLabel(name);
  return scientificName === null || reading.pair ? reading : readLabel(`${scientificName}_${name}`);
};

/** Returns the names without those of some species. */
function withoutSpecies(names: KnownNames, hidden: ReadonlySet<number>): KnownNames {
  const shown = (id: number | undefined) => (id === undefined || hidden.has(id) ? undefined : id);
  return {
    region: names.region,
    speciesOfKey: (key) => shown(names.speciesOfKey(key)),
    speciesOfCode: (code) => shown(names.speciesOfCode(code)),
    node: (id) => names.node(id),
  };
}

function stepsOf(
  id: number,
  group: readonly LooseSpecies[],
  assigned: Assignment,
  names: KnownNames,
): TidyStep[] {
  const [first, ...rest] = group;
  if (!first) return [];
  const into = id > 0 ? { id, name: names.node(id)?.name ?? '' } : first;
  const merges = (id > 0 ? group : rest).map(
    (row): PlannedMerge => ({
      kind: 'merge',
      speciesId: row.id,
      name: row.name,
      intoId: into.id,
      intoName: into.name,
    }),
  );
  const created = assigned.created.find((species) => species.id === id);
  return created?.source == null ? merges : [...merges, completionOf(first, created, assigned)];
}

function completionOf(
  { id, name }: LooseSpecies,
  { scientificName, ebirdCode, parentId }: NewSpecies,
  assigned: Assignment & Partial<KnownNames>,
): PlannedCompletion {
  const family = parentId === null ? undefined : assigned.node?.(parentId);
  return {
    kind: 'complete',
    speciesId: id,
    name,
    scientificName: scientificName ?? '',
    ebirdCode,
    family: family?.scientificName ?? null,
    familyName: family?.name ?? null,
  };
}

/** A step that was applied. */
type DoneStep =
  | { readonly kind: 'merge'; readonly merge_id: number }
  | {
      readonly kind: 'edit';
      readonly species_id: number;
      readonly before: SpeciesPatch;
      readonly after: SpeciesPatch;
    };

/** Time limit of one call, after which it leaves the remaining steps for another run. */
const maxWorkMs = 20_000;

/** Applies {@link planTidy}, each species in its own transaction, and records the steps. */
export function applyTidy(deps: TidyDeps, token?: string, now: () => number = Date.now): Promise<TidyResult> {
  return runExclusively(deps.pool, async (lost) => {
    const steps = await planTidy(deps);
    const result = { merged: 0, completed: 0, movedDetections: 0, skipped: 0 };
    if (!steps.length) return { ...result, tidyId: null, remaining: 0 };
    const tidyId = await startRun(deps.pool);
    const until = now() + maxWorkMs;
    for (const [at, step] of steps.entries()) {
      lost.throwIfAborted();
      if (now() > until) return { ...result, tidyId, remaining: steps.length - at };
      const done = await doStep(deps, step, token);
      if (!done) result.skipped += 1;
      else if (done.step.kind === 'merge') result.merged += 1;
      else result.completed += 1;
      result.movedDetections += done?.moved ?? 0;
      if (done) await recordStep(deps.pool, tidyId, done.step);
    }
    return { ...result, tidyId, remaining: 0 };
  });
}

async function doStep(
  deps: TidyDeps,
  step: TidyStep,
  token: string | undefined,
): Promise<{ readonly step: DoneStep; readonly moved: number } | undefined> {
  const { editor } = deps;
  try {
    if (step.kind === 'merge') {
      const { mergeId, movedDetections } = await editor.merge(
        step.speciesId,
        step.intoId,
        randomUUID(),
        token,
      );
      return { step: { kind: 'merge', merge_id: mergeId }, moved: movedDetections };
    }
    const after = await completionPatch(deps, step);
    const before = await readFields(deps.pool, step.speciesId, after);
    await editor.edit(step.speciesId, after, randomUUID(), token);
    return { step: { kind: 'edit', species_id: step.speciesId, before, after }, moved: 0 };
  } catch (error) {
    if (error instanceof HubError && skippableErrors.has(error.code)) return undefined;
    throw error;
  }
}

/** Codes of errors that occur when a person changed the species meanwhile. */
const skippableErrors: ReadonlySet<string> = new Set([
  'conflict',
  'species_not_found',
  'invalid_request',
  'merge_not_found',
]);

async function completionPatch({ pool }: TidyDeps, step: PlannedCompletion): Promise<SpeciesPatch> {
  const { scientificName, ebirdCode, family, familyName } = step;
  const parentId = await ensureFamily(pool, family, familyName);
  return { scientificName, ...(ebirdCode !== null && { ebirdCode }), ...(parentId !== null && { parentId }) };
}

async function readFields(pool: pg.Pool, id: number, { ...fields }: SpeciesPatch): Promise<SpeciesPatch> {
  const { rows } = await pool.query<SpeciesPatch>(
    `SELECT name, scientific_name AS "scientificName", ebird_code AS "ebirdCode", parent_id AS "parentId"
     FROM species WHERE id = $1`,
    [id],
  );
  const entries = Object.entries(rows[0] ?? {}).filter(([field]) => field in fields);
  return Object.fromEntries(entries);
}

async function startRun(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('INSERT INTO species_tidy DEFAULT VALUES RETURNING id');
  return rows[0]?.id ?? 0;
}

async function recordStep(pool: pg.Pool, id: number, step: DoneStep): Promise<void> {
  await pool.query('UPDATE species_tidy SET steps = steps || jsonb_build_array($2::jsonb) WHERE id = $1', [
    id,
    JSON.stringify(step),
  ]);
}

/** The result of reverting a repair. */
export interface UndoneTidy {
  readonly tidyId: number;
  readonly undone: number;
  /** Number of steps that were kept, because later changes depend on them. */
  readonly kept: number;
}

/**
 * Reverts a run, by default the last one; detections that have been reviewed since stay.
 * @throws HubError merge_not_found when there is no run to revert
 */
export function undoTidy({ pool, editor }: TidyDeps, tidyId?: number, token?: string): Promise<UndoneTidy> {
  return runExclusively(pool, async (lost) => {
    const { rows } = await pool.query<{ id: number; steps: DoneStep[] }>(
      `SELECT id, steps FROM species_tidy WHERE undone_at IS NULL AND id = coalesce($1::bigint, id) ORDER BY id DESC LIMIT 1`,
      [tidyId ?? null],
    );
    const [run] = rows;
    if (!run) throw new HubError('merge_not_found');
    let undone = 0;
    for (const step of run.steps.toReversed()) {
      lost.throwIfAborted();
      if (await undoStep(pool, editor, step, token)) undone += 1;
    }
    await pool.query('UPDATE species_tidy SET undone_at = now() WHERE id = $1', [run.id]);
    return { tidyId: run.id, undone, kept: run.steps.length - undone };
  });
}

async function undoStep(
  pool: pg.Pool,
  editor: SpeciesEditor,
  step: DoneStep,
  token: string | undefined,
): Promise<boolean> {
  try {
    if (step.kind === 'merge') {
      await editor.separate(step.merge_id, randomUUID(), token);
      return true;
    }
    const { species_id: id, before, after } = step;
    const current: Readonly<Record<string, unknown>> = { ...(await readFields(pool, id, after)) };
    if (Object.entries(after).some(([field, value]) => current[field] !== value)) return false;
    await editor.edit(id, before, randomUUID(), token);
    return true;
  } catch (error) {
    if (error instanceof HubError && skippableErrors.has(error.code)) return false;
    throw error;
  }
}

/** Returns the last run that was not reverted. */
export async function findLastTidy(
  pool: pg.Pool,
): Promise<{ id: number; appliedAt: Date; steps: number } | undefined> {
  const { rows } = await pool.query<{ id: number; appliedAt: Date; steps: number }>(
    `SELECT id, applied_at AS "appliedAt", jsonb_array_length(steps) AS steps FROM species_tidy
     WHERE undone_at IS NULL AND steps <> '[]' ORDER BY id DESC LIMIT 1`,
  );
  return rows[0];
}

async function runExclusively<T>(pool: pg.Pool, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const done = await withAdvisoryLock(pool, lockNames.speciesTidy, work);
  if (!done) throw new HubError('conflict', { message: 'Species are being tidied already.' });
  return done.result;
}
