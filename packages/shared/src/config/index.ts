export {
  addressesConfig,
  basePathConfig,
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  foldersOf,
  literals,
  mediaConfig,
  secretsConfig,
  zoneConfig,
} from './common-config.js';
export { hubVersion } from './hub-version.js';
export { ConfigError, readConfig, variableName } from './read-config.js';
