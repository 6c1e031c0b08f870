export { busConfig, commonConfig, databaseConfig, filesConfig, literals } from './common-config.js';
export { ConfigError, readConfig, variableName } from './read-config.js';
