import type { ErrorDetail } from '@birdhub/shared/errors';
import { isTimeZone } from '@birdhub/shared/time';
import { compileSchema, invalidRequest, toDetails } from '@birdhub/shared/validation';
import { isGroup } from './secret-places.js';
import { defaultSettings, type Settings, SettingsSchema } from './settings-schema.js';

const validate = compileSchema(SettingsSchema, 'all');

type Rule = (settings: Settings) => (ErrorDetail | false)[];

/** An uncompressed point of P-256 in base64url (RFC 8292). */
const publicKeyShape = /^$|^B[\w-]{86}$/;

const isBeyond = (degrees: string, most: number) => Math.abs(Number(degrees)) > most;

/** What the schema cannot say. A mistake of two settings is told at both, and shown where the change names it. */
const rules: readonly Rule[] = [
  ({ general }) => [
    general.timezone !== '' &&
      !isTimeZone(general.timezone) && { path: '/general/timezone', message: 'must be an IANA time zone' },
  ],
  ({ secrets }) => [
    isBeyond(secrets.latitude, 90) && { path: '/secrets/latitude', message: 'must be from -90 to 90' },
    isBeyond(secrets.longitude, 180) && { path: '/secrets/longitude', message: 'must be from -180 to 180' },
  ],
  ({ general }) => {
    const isAlone = general.contributor_password !== '' && general.settings_password === '';
    return [
      isAlone && { path: '/general/contributor_password', message: 'needs a settings password' },
      isAlone && {
        path: '/general/settings_password',
        message: 'must stay while there is a contributor password',
      },
    ];
  },
  ({ web_push: { vapid_public_key: key } }) => [
    !publicKeyShape.test(key) && {
      path: '/web_push/vapid_public_key',
      message: 'must be a public key of P-256 in base64url',
    },
  ],
  ({ notifications: { quiet_hours_start: start, quiet_hours_end: end } }) => {
    const isHalf = (start === '') !== (end === '');
    const message = 'must be set together with the other end of the quiet hours';
    return [
      isHalf && { path: '/notifications/quiet_hours_start', message },
      isHalf && { path: '/notifications/quiet_hours_end', message },
    ];
  },
  ({ video }) => {
    const ids = video.cameras.map(({ id }) => id);
    return ids.map(
      (id, index) =>
        ids.indexOf(id) < index && {
          path: `/video/cameras/${index}/id`,
          message: 'is the id of another camera',
        },
    );
  },
];

/** The settings with the defaults in place of what is of the wrong shape, so that the rules can be asked. */
function withoutMistakes(settings: Settings, pointers: readonly string[]): Settings {
  const sound = structuredClone(settings) as Record<string, Record<string, unknown>>;
  const defaults = defaultSettings('') as typeof sound;
  for (const [, group = '', key = ''] of pointers.map((pointer) => pointer.split('/'))) {
    sound[group] = { ...sound[group], [key]: defaults[group]?.[key] };
  }
  return sound as Settings;
}

function mistakesIn(settings: Settings): ErrorDetail[] {
  const wrong = validate(settings) ? [] : toDetails(validate.errors ?? [], 'body');
  const sound = withoutMistakes(
    settings,
    wrong.map(({ path }) => path),
  );
  return [...wrong, ...rules.flatMap((rule) => rule(sound)).filter((mistake) => mistake !== false)];
}

/** Whether a change names the setting that a JSON Pointer leads to or into. */
function isNamed(change: unknown, pointer: string): boolean {
  const [, group = '', key = ''] = pointer.split('/');
  const values = isGroup(change) ? change[group] : undefined;
  return isGroup(values) && Object.hasOwn(values, key);
}

/**
 * Checks settings as they would be after a change; what was wrong before stands in nobody's way.
 * @throws HubError invalid_request with a JSON Pointer into the change for each mistake
 */
export function checkSettings(settings: Settings, change: unknown): void {
  const mistakes = mistakesIn(settings).filter(({ path }) => isNamed(change, path));
  if (mistakes.length) throw invalidRequest(mistakes);
}
