export { addOutboxMetrics, addPoolMetrics, createMetrics, type ServiceMetrics } from './service-metrics.js';
