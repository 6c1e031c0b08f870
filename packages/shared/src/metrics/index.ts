export { measureBus } from './measure-bus.js';
export { addOutboxMetrics, addPoolMetrics, createMetrics, type ServiceMetrics } from './service-metrics.js';
