import {
  addressesConfig,
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  mediaConfig,
  secretsConfig,
  zoneConfig,
} from '@birdhub/shared/config';
import { Type } from 'typebox';

/** What the ingest service reads from the environment. */
export const ingestConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...mediaConfig,
  ...secretsConfig,
  ...zoneConfig,
  ...addressesConfig,
  maxUploadMb: Type.Integer({
    default: 2048,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Largest file that processors may upload, in units of 1,048,576 bytes',
  }),
  processorSecret: Type.Optional(
    Type.String({
      secret: true,
      description: 'Token that processors must send as X-Processor-Token; none asked when not set',
    }),
  ),
});
