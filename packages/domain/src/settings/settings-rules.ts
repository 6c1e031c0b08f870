import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import { isTimeZone } from '@birdhub/shared/time';
import { compileSchema, invalidRequest, toDetails } from '@birdhub/shared/validation';
import { checkHookMappings } from './hook.js';
import { defaultSettings, isGroup, isKnownList, type Settings, SettingsSchema } from './schema.js';

const validate = compileSchema(SettingsSchema, 'all');

type Rule = (settings: Settings) => (ErrorDetail | false)[];

/** An uncompressed point of P-256 in base64url (RFC 8292). */
const publicKeyShape = /^$|^B[\w-]{86}$/;

/** The same as for a pattern of the schema. */
const wrongForm = { message: 'is not in the right form', code: 'wrong_form' };

const isBeyond = (degrees: string, max: number) => Math.abs(Number(degrees)) > max;

/**
 * Rules that the schema cannot express. A conflict between two settings is reported for both; errors of settings that
 * are not part of the change are then filtered out.
 */
const rules: readonly Rule[] = [
  ({ general }) => [
    general.timezone !== '' && !isTimeZone(general.timezone) && refuse('/general/timezone', 'time_zone'),
  ],
  ({ secrets }) => [
    isBeyond(secrets.latitude, 90) && refuse('/secrets/latitude', 'between', { min: -90, max: 90 }),
    isBeyond(secrets.longitude, 180) && refuse('/secrets/longitude', 'between', { min: -180, max: 180 }),
  ],
  ({ general }) => {
    const isWithoutAdmin = general.contributor_password !== '' && general.settings_password === '';
    return [
      isWithoutAdmin && refuse('/general/contributor_password', 'admin_password_needed'),
      isWithoutAdmin && refuse('/general/settings_password', 'admin_password_kept'),
    ];
  },
  ({ web_push: { vapid_public_key: key } }) => [
    !publicKeyShape.test(key) && refuse('/web_push/vapid_public_key', 'vapid_key'),
  ],
  ({ notifications: { quiet_hours_start: start, quiet_hours_end: end } }) => {
    const isHalf = (start === '') !== (end === '');
    const other = 'the other end of the quiet hours';
    return ['quiet_hours_start', 'quiet_hours_end'].map(
      (name) => isHalf && refuse(`/notifications/${name}`, 'both_ends', { other }),
    );
  },
  ({ video }) => {
    const ids = video.cameras.map(({ id }) => id);
    return ids.map(
      (id, index) => ids.indexOf(id) < index && refuse(`/video/cameras/${index}/id`, 'camera_id_taken'),
    );
  },
  ({ mqtt, feed }) => {
    const isOfFixed = fixedTopics.some((topic) => areNested(mqtt.post_topic, topic));
    const isOfVisits = areNested(mqtt.post_topic, mqtt.publish_topic);
    const isOfFeeder = areNested(mqtt.post_topic, feed.mqtt_topic);
    return [
      (isOfFixed || isOfVisits || isOfFeeder) && refuse('/mqtt/post_topic', 'topic_published'),
      isOfVisits && refuse('/mqtt/publish_topic', 'topic_posts'),
      isOfFeeder && refuse('/feed/mqtt_topic', 'topic_posts'),
    ];
  },
  ({ notifications, homeassistant, feed, webhook }) => {
    const addresses = {
      '/notifications/base_url': notifications.base_url,
      '/homeassistant/url': homeassistant.url,
      '/feed/esphome_url': feed.esphome_url,
      '/webhook/url': webhook.url,
    };
    return Object.entries(addresses).map(
      ([path, url]) => url !== '' && !URL.canParse(url) && { path, ...wrongForm },
    );
  },
  ({ hooks }) => {
    const hookNames = hooks.map(({ name }) => name);
    return hookNames.map(
      (name, index) => hookNames.indexOf(name) < index && refuse(`/hooks/${index}/name`, 'hook_name_taken'),
    );
  },
];

/** Fixed topics of the hub and of Home Assistant; the topic of visits is a setting. */
const fixedTopics = [
  'birdhub/availability',
  'birdhub/last_visit',
  'birdhub/visits_today',
  'birdhub/species_today',
  'birdhub/processor',
  'birdhub/ha',
  'homeassistant',
];

/** Returns whether one topic equals or contains the other, so that the hub would receive its own messages. */
function areNested(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** Replaces invalid settings by their defaults, so that the rules can be applied to the others. */
function withoutMistakes(settings: Settings, pointers: readonly string[]): Settings {
  const sound: Record<string, unknown> = structuredClone(settings);
  const defaults: Record<string, unknown> = defaultSettings('');
  for (const [, group = '', key = ''] of pointers.map((pointer) => pointer.split('/'))) {
    const [own, usual] = [sound[group], defaults[group]];
    if (isKnownList([group])) sound[group] = usual;
    else if (isGroup(own) && isGroup(usual)) sound[group] = { ...own, [key]: usual[key] };
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

/** Returns whether a change contains the setting at a JSON Pointer. */
function isNamed(change: unknown, pointer: string): boolean {
  const [, group = '', key = ''] = pointer.split('/');
  const values = isGroup(change) ? change[group] : undefined;
  if (isKnownList([group])) return values !== undefined;
  return isGroup(values) && Object.hasOwn(values, key);
}

/**
 * Checks the settings that would result from a change; errors in settings that it does not contain are ignored.
 * @throws HubError invalid_request with a JSON Pointer into the change for each error
 */
export async function checkSettings(settings: Settings, change: unknown): Promise<void> {
  const mistakes = mistakesIn(settings).filter(({ path }) => isNamed(change, path));
  const isOfHooks = ({ path }: ErrorDetail) => path.startsWith('/hooks');
  if (isNamed(change, '/hooks') && !mistakes.some(isOfHooks)) {
    const mappings = settings.hooks.map((mapping, index) => ({ path: `/hooks/${index}`, mapping }));
    mistakes.push(...(await checkHookMappings(mappings)));
  }
  if (mistakes.length) throw invalidRequest(mistakes);
}
