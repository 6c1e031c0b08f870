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

/** The environment variables of the ingest service. */
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
    description: 'Maximum size of a file that processors upload, in MiB',
  }),
  processorSecret: Type.Optional(
    Type.String({
      secret: true,
      description: 'Token that processors must send as X-Processor-Token; not required when not set',
    }),
  ),
});
