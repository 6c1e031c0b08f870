import { busConfig, commonConfig, databaseConfig, filesConfig, zoneConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

/** What the ingest service reads from the environment. */
export const ingestConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...zoneConfig,
  processorSecret: Type.Optional(
    Type.String({
      secret: true,
      description: 'Token that processors must send as X-Processor-Token; none asked when not set',
    }),
  ),
});
