import {
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  mediaConfig,
  zoneConfig,
} from '@birdhub/shared/config';
import { Type } from 'typebox';

/** Configuration of the reports service, read from the environment. */
export const reportsConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...mediaConfig,
  ...zoneConfig,
  exportStallSeconds: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3_600,
    description: 'Seconds after which an export is aborted when the client reads no data',
  }),
});
