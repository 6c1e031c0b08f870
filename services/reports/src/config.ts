import {
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  mediaConfig,
  zoneConfig,
} from '@birdhub/shared/config';
import { Type } from 'typebox';

/** What the reports service reads from the environment. */
export const reportsConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...mediaConfig,
  ...zoneConfig,
});
