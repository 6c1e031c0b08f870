const duplicateWindowMs = 120_000;

/** An event with its place in the stream. */
export interface StoredEvent {
  readonly id: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly requestId: string | undefined;
  readonly sequence: number;
  readonly storedAt: number;
}

/** All events of a {@link createMemoryStream}; the one with sequence n stands at n - 1. */
export interface MemoryStream {
  readonly events: readonly StoredEvent[];
  /** Stores the event unless its id was stored within the last two minutes. */
  append(event: Omit<StoredEvent, 'sequence' | 'storedAt'>): void;
  /** Wakes everybody who waits for a change. */
  notify(): void;
  /** Resolves at the next change, after the given time, or when the signal fires. */
  changed(signal: AbortSignal, afterMs?: number): Promise<void>;
}

export function createMemoryStream(): MemoryStream {
  const events: StoredEvent[] = [];
  const times = new Map<string, number>();
  const waiting = new Set<() => void>();

  function notify(): void {
    for (const wake of waiting) wake();
  }

  return {
    events,
    notify,
    append(event) {
      const now = Date.now();
      const before = times.get(event.id);
      if (before !== undefined && now - before < duplicateWindowMs) return;
      times.set(event.id, now);
      events.push({ ...event, sequence: events.length + 1, storedAt: now });
      notify();
    },
    changed(signal, afterMs) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = afterMs === undefined ? undefined : setTimeout(() => wake(), afterMs);
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    },
  };
}
