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
import { externalConfig } from './external/external-apis.js';

/** What the query service reads from the environment. */
export const queryConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...secretsConfig,
  ...zoneConfig,
  ...externalConfig,
  ...basePathConfig,
  answerCacheMb: Type.Integer({
    default: 64,
    minimum: 0,
    maximum: 65_536,
    description: 'Maximum megabytes of the response cache; 0 turns it off',
  }),
  answerBudgetMb: Type.Integer({
    default: 96,
    minimum: 16,
    maximum: 65_536,
    description:
      'Maximum megabytes of large responses that are made and sent at once; further ones wait, then are rejected',
  }),
});
