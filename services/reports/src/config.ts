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
  exportStallSeconds: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3_600,
    description: 'Seconds in which the reader of an export may take nothing before it is cut',
  }),
});
