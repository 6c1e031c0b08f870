export { createLog, type LogLevel, logLevels } from './create-log.js';
