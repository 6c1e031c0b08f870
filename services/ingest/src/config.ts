import { busConfig, commonConfig, databaseConfig } from '@birdhub/shared/config';
import { Type } from 'typebox';

/** What the ingest service reads from the environment. */
export const ingestConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  processorSecret: Type.Optional(
    Type.String({
      secret: true,
      description: 'Token that processors must send as X-Processor-Token; none asked when not set',
    }),
  ),
  tz: Type.Optional(Type.String({ description: 'Zone of the host, used until settings name one' })),
});
