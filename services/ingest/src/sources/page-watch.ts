import { say } from './sentences.js';
import { type Json, UpstreamError, type UpstreamEvent, type UpstreamPage } from './source-kind.js';

/** Maximum consecutive pages without a later event. */
const maxIdlePages = 2_000;

/** Detects an upstream whose pages never end; one instance per run. */
export class PageWatch {
  #cursor: string | undefined;
  #latest = Number.NEGATIVE_INFINITY;
  #idlePages = 0;

  /** Checks a page. @throws UpstreamError when the pages would never end */
  check(page: UpstreamPage, cursor: Json | undefined): void {
    if (page.isLast) return;
    const next = JSON.stringify(page.cursor);
    if (next === JSON.stringify(cursor ?? null) || next === this.#cursor)
      throw new UpstreamError('birds', say('same_page'));
    this.#cursor = next;
    const latest = latestOf(page.events);
    this.#idlePages = latest > this.#latest ? 0 : this.#idlePages + 1;
    this.#latest = Math.max(this.#latest, latest);
    if (this.#idlePages > maxIdlePages) throw new UpstreamError('birds', say('endless_list'));
  }
}

function latestOf(events: readonly UpstreamEvent[]): number {
  const starts = events.map(({ start }) => start).filter(Number.isFinite);
  return starts.reduce((latest, start) => Math.max(latest, start), Number.NEGATIVE_INFINITY);
}
