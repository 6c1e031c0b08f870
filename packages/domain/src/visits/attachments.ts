import type pg from 'pg';
import type { SpeciesTree } from '../species/species-tree.js';
import { nearestVisit } from './attach-runs.js';
import {
  type AttachedRow,
  attachVisit,
  detachRun,
  listAttached,
  listVisitsNear,
} from './attachments.store.js';
import { cover, type Interval } from './interval.js';
import type { Neighbourhood, SpeciesSpan } from './neighbourhood.store.js';
import type { RollupDeltas } from './visit-rollups.js';
import type { StoredVisit, VisitRule } from './visit-state.js';

const widen = ({ start, end }: Interval, byMs: number): Interval => ({
  start: start - byMs,
  end: end + byMs,
});

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

/** Makes every attached run of some species a visit. */
export async function detachAll(
  client: pg.ClientBase,
  speciesIds: readonly number[],
  deltas: RollupDeltas,
): Promise<void> {
  const always = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
  for (const speciesId of speciesIds)
    await detach(client, await listAttached(client, speciesId, always), deltas);
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

/**
 * Makes every attached run near a change a visit for the time being: those of the changed species, and up the
 * tree those that look at its visits. The rule is then applied as if nothing were attached. Answers what was
 * detached, to be looked at again.
 */
export async function detachNear(
  client: pg.ClientBase,
  tree: SpeciesTree,
  spans: readonly SpeciesSpan[],
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
      const heard = await listVisitsNear(client, [speciesId], reach, true);
      region = cover([region, ...detached, ...heard]);
      all.push(...detached);
    }
  }
  return all;
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

async function heardNear(
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

/**
 * Attaches the heard runs near a change to the visits of child species, from the leaves of the tree upwards.
 * Answers which visit went into which.
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
    const beside = [speciesId, ...children].flatMap((id) => dirty.get(id) ?? []);
    const candidates = await heardNear(
      client,
      speciesId,
      beside.map((span) => widen(span, gapMs)),
    );
    for (const heard of candidates) {
      const host = nearestVisit(heard, await listVisitsNear(client, children, widen(heard, gapMs)), gapMs);
      if (!host) continue;
      const grown = await attachVisit(client, heard, host.id);
      deltas.count(heard.speciesId, heard, -1);
      deltas.count(
        grown.speciesId,
        { ...grown, detectionCount: grown.detectionCount - heard.detectionCount },
        -1,
      );
      deltas.count(grown.speciesId, grown, 1);
      hosts.set(heard.id, host.id);
    }
    dirty.set(speciesId, [...(dirty.get(speciesId) ?? []), ...candidates]);
  }
  return hosts;
}
