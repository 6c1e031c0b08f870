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

/** Configuration of the query service, read from the environment. */
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
    description: 'Maximum size of the response cache in megabytes; 0 disables it',
  }),
  answerBudgetMb: Type.Integer({
    default: 96,
    minimum: 16,
    maximum: 65_536,
    description:
      'Maximum total size in megabytes of large responses that are created and sent at the same time; ' +
      'further ones wait, and are rejected when the wait is too long',
  }),
});
