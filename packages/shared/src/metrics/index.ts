export { measureBus } from './measure-bus.js';
export { createMetrics, type ServiceMetrics, showOutbox } from './service-metrics.js';
export { showPool } from './show-pool.js';
