import { commonConfig, databaseConfig, filesConfig, zoneConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

/** What the query service reads from the environment. */
export const queryConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...filesConfig,
  ...zoneConfig,
  answerCacheMb: Type.Integer({
    default: 64,
    minimum: 0,
    maximum: 65_536,
    description: 'Most megabytes of finished answers that are kept in memory; 0 keeps none',
  }),
});
