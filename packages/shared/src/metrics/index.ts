export { measureBus } from './measure-bus.js';
export { createMetrics, type ServiceMetrics, showOutbox, showPool } from './service-metrics.js';
