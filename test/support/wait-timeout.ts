import { vi } from 'vitest';

/** Default timeout of `vi.waitFor` and `vi.waitUntil`. */
const waitTimeoutMs = 60_000;

const { waitFor, waitUntil } = vi;

// Vitest's default of one second is too short for two slow, busy cores and cannot be configured.
vi.waitFor = (callback, options) => waitFor(callback, withTimeout(options));
vi.waitUntil = (callback, options) => waitUntil(callback, withTimeout(options));

function withTimeout(options: number | { timeout?: number; interval?: number } = {}) {
  return typeof options === 'number' ? options : { timeout: waitTimeoutMs, ...options };
}
