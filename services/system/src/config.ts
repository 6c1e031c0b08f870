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

/** What the system service reads from the environment. */
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
      'How many recordings get their pictures at once, at low priority; one more when somebody waits for it',
  }),
  mediaWaitHours: Type.Number({
    default: 24,
    exclusiveMinimum: 0,
    maximum: 8_760,
    description: 'Hours that the file of a recording is awaited before it is taken as missing',
  }),
  activityDays: Type.Integer({
    default: 400,
    minimum: 1,
    maximum: 36_500,
    description: 'Days that rows of the activity log, and what processors post to theirs, are kept',
  }),
  processorLog: Type.Optional(
    Type.String({ description: "The processor's log file; `DATA_DIR/processor.log` when not set" }),
  ),
  processorFlagDir: Type.Optional(
    Type.String({
      description:
        'Folder in which `restart_processor.flag` asks a processor on the same disk to restart; none when not set',
    }),
  ),
  reportsUrl: Type.Optional(
    Type.String({
      pattern: '^(https?://[^/]+/?|unix:/.+)$',
      description:
        'Where the reports service listens, which makes the PDF of digests: a URL, or `unix:/path` of its socket; digests have no PDF when not set',
    }),
  ),
  telegramApiUrl: Type.String({
    default: 'https://api.telegram.org',
    pattern: '^https?://',
    description: 'Bot API that messages for Telegram are sent to',
  }),
  pushAllowPrivate: literals(['0', '1'], {
    default: '0',
    description:
      '1 lets messages go to private addresses and browsers subscribe without https: for tests, and for webhooks at home',
  }),
});
