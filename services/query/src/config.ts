import {
  basePathConfig,
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  secretsConfig,
  zoneConfig,
} from '@birdhub/shared/config';
import { Type } from 'typebox';
import { outsideConfig } from './external/external-config.js';

/** What the query service reads from the environment. */
export const queryConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...secretsConfig,
  ...zoneConfig,
  ...outsideConfig,
  ...basePathConfig,
  answerCacheMb: Type.Integer({
    default: 64,
    minimum: 0,
    maximum: 65_536,
    description: 'Most megabytes of finished answers that are kept in memory; 0 keeps none',
  }),
  answerBudgetMb: Type.Integer({
    default: 96,
    minimum: 16,
    maximum: 65_536,
    description:
      'Most megabytes of large answers that are made and sent at once; further ones wait, then are refused',
  }),
});
