export { createMetrics, type ServiceMetrics, showOutbox } from './service-metrics.js';
