export { BoundedMap } from './bounded-map.js';
export { createKeyedQueue } from './keyed-queue.js';
export {
  type AcquireOptions,
  createLimiter,
  type Limiter,
  type LimiterOptions,
  type Release,
} from './limiter.js';
export { createLoop, type Loop, type LoopOptions } from './loop.js';
export { pauseUnlessAborted } from './pause.js';
export { settleAll } from './settle-all.js';
export { createSingleFlight, type SingleFlight } from './single-flight.js';
export { withAnySignal } from './with-any-signal.js';
