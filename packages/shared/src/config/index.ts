export {
  addressesConfig,
  basePathConfig,
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  literals,
  mediaConfig,
  secretsConfig,
  zoneConfig,
} from './common-config.js';
export { ConfigError, readConfig, variableName } from './read-config.js';
