import { busConfig, commonConfig, databaseConfig, secretsConfig, zoneConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

/** What the system service reads from the environment. */
export const systemConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...secretsConfig,
  ...zoneConfig,
});
