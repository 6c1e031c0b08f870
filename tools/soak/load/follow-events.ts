/** A received server-sent event. */
export interface WireEvent {
  readonly id: number | undefined;
  readonly name: string | undefined;
  readonly data: string;
}

const fieldOf = (block: string, field: string) => new RegExp(`^${field}: ?(.*)$`, 'm').exec(block)?.[1];

/** Parses a block of server-sent events; heartbeats and the opening have no name. */
export function parseEvent(block: string): WireEvent {
  const id = Number(fieldOf(block, 'id') || Number.NaN);
  return {
    id: Number.isNaN(id) ? undefined : id,
    name: fieldOf(block, 'event'),
    data: fieldOf(block, 'data') ?? '',
  };
}

/** Checks the events of one client, whose numbers must be consecutive. */
export class FollowedEvents {
  /** The number of the last event, initially that of the opening. */
  position: number | undefined;
  count = 0;
  /** Descriptions of gaps and resets. */
  readonly breaks: string[] = [];
  readonly startedVisits = new Set<number>();

  /** Adds an event; returns its data if it is about a recording. */
  take({ id, name, data }: WireEvent): { readonly video_id: number } | undefined {
    if (name === undefined) {
      this.position ??= id;
      return undefined;
    }
    if (name === 'reset') this.breaks.push(`reset behind ${this.position}`);
    else if (id !== (this.position ?? 0) + 1) this.breaks.push(`${id} behind ${this.position}`);
    this.position = id;
    this.count += 1;
    if (name === 'visit_started') this.startedVisits.add(JSON.parse(data).visit_id);
    return name === 'recording' ? JSON.parse(data) : undefined;
  }
}
