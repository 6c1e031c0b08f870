export { createMetrics, type ServiceMetrics } from './service-metrics.js';
