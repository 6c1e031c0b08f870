import type { Bus } from '../bus/index.js';
import { type EventMap, InvalidEventError, type Subject } from '../events/index.js';
import type { WaitingRow } from './outbox.store.js';

/** A row that could not be published and why. */
export interface FailedRow {
  readonly row: WaitingRow;
  readonly error: Error;
}

/** What became of a batch; rows in neither list come behind a failed one of their key and were not tried. */
export interface BatchOutcome {
  readonly published: readonly WaitingRow[];
  /** Can never be published. */
  readonly poison: readonly FailedRow[];
  /** Could not be published now: the first of each key. */
  readonly failed: readonly FailedRow[];
}

/**
 * The id under which the row is published, the same at every attempt. The time is part of it because row ids begin
 * again when the tables are made anew or set back to an earlier state.
 */
export function eventId(databaseName: string, { id, createdMs }: WaitingRow): string {
  return `${databaseName}-${Number(createdMs).toString(36)}-${id}`;
}

function groupByKey(rows: readonly WaitingRow[]): WaitingRow[][] {
  const groups = new Map<string, WaitingRow[]>();
  for (const row of rows) {
    const group = groups.get(row.orderingKey);
    if (group) group.push(row);
    else groups.set(row.orderingKey, [row]);
  }
  return [...groups.values()];
}

/** Publishes the keys side by side and the rows of one key one after the other. */
export async function publishBatch(
  bus: Pick<Bus, 'publish'>,
  databaseName: string,
  rows: readonly WaitingRow[],
): Promise<BatchOutcome> {
  const published: WaitingRow[] = [];
  const poison: FailedRow[] = [];
  const failed: FailedRow[] = [];

  async function publish(row: WaitingRow): Promise<boolean> {
    const id = eventId(databaseName, row);
    try {
      // The bus checks both against the catalogue.
      const payload = row.payload as EventMap[Subject];
      await bus.publish(row.subject as Subject, payload, { id, requestId: row.requestId ?? undefined });
      published.push(row);
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const isPoison = error instanceof InvalidEventError;
      (isPoison ? poison : failed).push({ row, error });
      return isPoison;
    }
  }

  async function publishKey(ofKey: readonly WaitingRow[]): Promise<void> {
    for (const row of ofKey) if (!(await publish(row))) return;
  }

  await Promise.all(groupByKey(rows).map(publishKey));
  return { published, poison, failed };
}
