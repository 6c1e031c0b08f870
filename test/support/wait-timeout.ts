import { vi } from 'vitest';

/** How long a test waits for something that must become true, unless it says otherwise. */
const waitTimeoutMs = 15_000;

const { waitFor, waitUntil } = vi;

// Vitest's own default of one second is too short for two busy cores, and there is no option for it.
vi.waitFor = (callback, options) => waitFor(callback, withTimeout(options));
vi.waitUntil = (callback, options) => waitUntil(callback, withTimeout(options));

function withTimeout(options: number | { timeout?: number; interval?: number } = {}) {
  return typeof options === 'number' ? options : { timeout: waitTimeoutMs, ...options };
}
