import {
  addressesConfig,
  basePathConfig,
  busConfig,
  commonConfig,
  databaseConfig,
  filesConfig,
  literals,
  mediaConfig,
  secretsConfig,
  zoneConfig,
} from '@birdhub/shared/config';
import { Type } from 'typebox';

/** Configuration of the system service, read from the environment. */
export const systemConfig = Type.Object({
  ...commonConfig,
  ...databaseConfig,
  ...busConfig,
  ...filesConfig,
  ...mediaConfig,
  ...secretsConfig,
  ...zoneConfig,
  ...basePathConfig,
  ...addressesConfig,
  mediaToolsAtOnce: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 16,
    description:
      'Maximum number of recordings whose pictures are created concurrently, at low priority; one more ' +
      'when a client waits for it',
  }),
  mediaWaitHours: Type.Number({
    default: 24,
    exclusiveMinimum: 0,
    maximum: 8_760,
    description: 'Hours to wait for the file of a recording before it counts as missing',
  }),
  activityDays: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 36_500,
    description:
      'Days for which entries of the activity log are kept, including those posted by processors, of which the hub ' +
      'keeps at most 50,000',
  }),
  processorLog: Type.Optional(
    Type.String({
      description: 'Path of the log file of the processor; defaults to `DATA_DIR/processor.log`',
    }),
  ),
  processorFlagDir: Type.Optional(
    Type.String({
      description:
        'Folder in which the hub creates `restart_processor.flag` to restart a processor on the same disk; ' +
        'not used when not set',
    }),
  ),
  reportsUrl: Type.Optional(
    Type.String({
      pattern: '^(https?://[^/]+/?|unix:/.+)$',
      description:
        'Address of the reports service, which creates the PDF of digests: a URL, or `unix:/path` of its ' +
        'socket; digests have no PDF when not set',
    }),
  ),
  telegramApiUrl: Type.String({
    default: 'https://api.telegram.org',
    pattern: '^https?://',
    description: 'URL of the Telegram Bot API',
  }),
  pushAllowPrivate: literals(['0', '1'], {
    default: '0',
    description:
      '1 allows messages to private addresses and to push services without https, for tests and push services ' +
      'at home. Anyone who can open the hub can subscribe',
  }),
  channelsAllowPrivate: literals(['0', '1'], {
    default: '0',
    description:
      'Whether channels that an administrator sets up, such as webhooks, may send to private addresses (1); ' +
      'subscriptions of browsers may not',
  }),
});
