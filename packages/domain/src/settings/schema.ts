import { maxPasswordLength } from '@birdhub/shared/passwords';
import { escapePointer } from '@birdhub/shared/validation';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { hubLanguages } from '../language/language.js';
import { guessRegion, REGIONS } from '../species/region.js';
import { HookSchema } from './hook.js';

/** A group of settings: the known keys; unknown ones are kept and returned. */
const group = <P extends TProperties>(title: string, description: string, properties: P) =>
  Type.Object(properties, { title, description, additionalProperties: true });

const text = (description: string, value = '', maxLength = 1_000) =>
  Type.String({ description, default: value, maxLength });
/** A broker disconnects clients that publish to a topic with wildcards. */
const topic = (description: string, value: string) =>
  Type.String({ description, default: value, maxLength: 500, pattern: '^[^#+]*$' });
const secret = (description: string) => text(description, '', 4_096);
const password = (description: string) => text(description, '', maxPasswordLength);
const flag = (description: string, value: boolean) => Type.Boolean({ description, default: value });
const choice = <const T extends readonly string[]>(description: string, values: T, value: T[number]) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, description, default: value });
const amount = (description: string, value: number, minimum: number, maximum: number) =>
  Type.Number({ description, default: value, minimum, maximum });
const whole = (description: string, value: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: value, minimum, maximum });
const names = (description: string) =>
  Type.Array(Type.String({ maxLength: 200 }), { description, default: [], maxItems: 5_000 });
const mapping = (description: string) =>
  Type.Record(Type.String(), Type.String({ maxLength: 200 }), { description, default: {} });
const timeOfDay = (description: string) =>
  Type.String({ description, default: '', pattern: '^$|^([01]\\d|2[0-3]):[0-5]\\d$' });
const webAddress = (description: string) =>
  Type.String({ description, default: '', maxLength: 2_000, pattern: '^$|^https?://[^\\s/]+' });
const degrees = (description: string) =>
  Type.String({ description, default: '', pattern: '^$|^\\s*[+-]?\\d{1,3}(\\.\\d+)?\\s*$' });

const CameraSettingSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64, description: 'As the processor names it in recordings' }),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the camera, as pages show it' })),
    stream_url: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'Address of the live picture; the password in it is shown as `***`',
      }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether it is in use; true when left out' })),
  },
  { additionalProperties: true },
);

/** Licences for published data, by their SPDX names. */
const LICENCES = ['CC0-1.0', 'CC-BY-4.0', 'CC-BY-NC-4.0'] as const;

const groups = {
  general: group('General', 'Name, zone, language, units, passwords and privacy', {
    app_name: text('Name of the hub, as pages and reports show it', 'Birdhub', 100),
    timezone: text(
      "The hub's zone, an IANA name such as Europe/Berlin; days are calendar days there",
      '',
      100,
    ),
    region: choice(
      'Part of the world, which decides what short English names of birds mean (Robin, Magpie); guessed from coordinates, country or zone when it is not set',
      REGIONS,
      'other',
    ),
    language: choice(
      'Language that the hub itself writes in: notifications and digests; pages, cards and reports follow the browser',
      hubLanguages,
      'en',
    ),
    units: choice('Units that pages show: °C and m/s, or °F and mph', ['metric', 'imperial'], 'metric'),
    enable_notifications: flag('Whether people are notified of visits at all', false),
    notification_excluded_species: names('Species that nobody is notified of'),
    settings_password: password("The administrator's password; empty leaves the hub open to everybody"),
    contributor_password: password('Password of those who may review; needs a settings password'),
    session_idle_minutes: whole(
      'Minutes without use after which an unlocked browser is locked; 0 for never',
      30,
      0,
      44_640,
    ),
    require_auth_for_video_stream: flag(
      'Whether recordings and whole frames of them are shown only to those who have unlocked the hub',
      false,
    ),
  }),
  visits: group('Visits', 'How detections become visits', {
    gap_seconds: amount(
      'Seconds of silence after which the next detection begins a new visit',
      60,
      0,
      86_400,
    ),
  }),
  ui: group('Pages', 'What pages show', {
    unknown_confidence_threshold: amount('Confidence below which a detection is doubtful', 0.5, 0, 1),
  }),
  detection: group('Detection', 'What is stored of what processors send', {
    min_confidence_to_store: amount('Confidence below which a posted detection is dropped', 0.05, 0, 1),
    species_mapping: mapping('Names that a processor sends, and the names they are stored under'),
  }),
  sharing: group('Sharing', 'Links by which others see a recording or a day', {
    enabled: flag('Whether links may be created; without it those that exist show nothing', true),
    place_name: text('Name of the place on shared days, such as a village; empty shows none', '', 100),
  }),
  video: group('Cameras', 'The cameras', {
    cameras: Type.Array(CameraSettingSchema, {
      description: 'Cameras with their names',
      default: [],
      maxItems: 100,
    }),
  }),
  mqtt: group('MQTT', 'The MQTT broker and what is published there', {
    broker: text('Host or URL of the MQTT broker; empty for none'),
    port: whole('TCP port of the broker', 1883, 1, 65_535),
    username: text('User name at the broker'),
    password: secret('Password at the broker'),
    publish_topic: topic('Topic on which each visit is published; empty for none', 'birdhub/visits'),
    ha_discovery: flag('Whether Home Assistant finds the hub by MQTT discovery', true),
    accept_posts: flag('Whether recordings, sightings and heartbeats that come by MQTT are stored', false),
    post_topic: Type.String({
      description:
        'Topic below which they come: `<topic>/<camera>`, and `<topic>/<camera>/status` for heartbeats',
      default: 'birdhub/in',
      maxLength: 200,
      pattern: '^[^/#+$\\u0000-\\u001f][^/#+\\u0000-\\u001f]*(?:/[^/#+\\u0000-\\u001f]+)*$',
    }),
  }),
  feed: group('Feeder', 'How the feeder is driven', {
    source: choice('How the feeder is driven', ['none', 'mqtt', 'esphome'], 'none'),
    duration_seconds: amount('Seconds that the feeder stays on', 3, 0.1, 60),
    cooldown_seconds: amount('Least seconds between two portions', 30, 0, 86_400),
    mqtt_topic: topic('Topic that switches the feeder', 'cmnd/bird_feeder/Power'),
    esphome_url: webAddress('Address of the ESPHome device'),
    esphome_switch_id: text('Id of the switch or button of the ESPHome device', 'bird_feeder', 200),
    esphome_type: choice('What the ESPHome device has', ['switch', 'button'], 'switch'),
  }),
  weather: group('Weather', 'Where weather comes from', {
    source: choice(
      'Where weather comes from',
      ['open-meteo', 'openweather', 'homeassistant', 'none'],
      'open-meteo',
    ),
    ha_entity_id: text('Weather entity of Home Assistant', 'weather.home', 200),
  }),
  homeassistant: group('Home Assistant', 'The connection to Home Assistant', {
    url: webAddress('Address of Home Assistant'),
    token: secret('Long-lived access token of Home Assistant'),
  }),
  retention: group('Retention', 'Which media files are kept', {
    days: whole('Days after which media files may go; 0 for never', 90, 0, 36_500),
    max_gb: amount('Gigabytes of media files above which the oldest go; 0 for no limit', 32, 0, 1_000_000),
    min_free_gb: amount('Gigabytes of the disk that stay free', 2, 0, 1_000_000),
    protect_favorites: flag('For compatibility: retention always keeps favourites', true),
    keep_best_per_species: whole(
      'Best recordings of each species that are kept whatever their age',
      3,
      0,
      1_000,
    ),
  }),
  notifications: group('Notifications', 'When people are notified, and the Telegram bot', {
    cooldown_seconds: whole('Minimum seconds between two messages of one species', 300, 0, 86_400),
    max_age_minutes: whole('Minutes after which a visit is too old for a notification', 15, 1, 1_440),
    quiet_hours_start: timeOfDay("Begin of the hours without messages, HH:MM in the hub's zone"),
    quiet_hours_end: timeOfDay("End of the hours without messages, HH:MM in the hub's zone"),
    base_url: webAddress('Address of the hub that messages link to'),
    telegram_bot_token: secret('Token of the Telegram bot'),
    telegram_chat_id: text('Chat that the Telegram bot writes to', '', 100),
  }),
  digest: group('Digest', 'A summary of the birds of a day, a week or a month', {
    frequency: choice('How often it is sent', ['off', 'daily', 'weekly', 'monthly'], 'off'),
    time: Type.String({
      description: "Time of day at which it is sent, HH:MM in the hub's zone; for the days before that day",
      default: '07:00',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    }),
    weekday: whole('Day of the week on which a weekly one is sent, 1 for Monday to 7', 1, 1, 7),
    channels: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      description: 'Channels by id that it is sent to; every enabled one when empty',
      default: [],
      maxItems: 50,
    }),
    report: flag('Whether channels that take files get the report as PDF', true),
  }),
  web_push: group('Web push', 'Notifications of browsers', {
    enabled: flag('Whether browsers that subscribed get messages', true),
    vapid_public_key: text('Public key of the hub; made once', '', 200),
    vapid_private_key: secret('Private key of the hub; made once'),
  }),
  webhook: group('Webhook', 'The webhook that visits are posted to', {
    url: webAddress('Address that each message is posted to'),
    secret: secret('Key of the signature of each message'),
  }),
  ebird: group('eBird', 'The region at eBird and the key', {
    country: Type.String({
      description: 'Country of the hub, two letters',
      default: 'US',
      pattern: '^$|^[A-Za-z]{2}$',
    }),
    state: text('State or province, as in its ISO 3166-2 code', '', 10),
    location_name: text('Name of the place in checklists', '', 200),
    protocol: text('Protocol of checklists', 'Stationary', 50),
    complete_checklist: flag('Whether checklists report all birds that were seen', false),
    species_mapping: mapping('Names of species in the hub, and their names at eBird'),
  }),
  science: group('Science', 'What exports for science say of the project', {
    title: text('Title of the data set; made of the name of the place when it is empty', '', 200),
    description: text('What was recorded, how and why', '', 4_000),
    contact_name: text('Who answers questions on the data', '', 200),
    contact_email: text('E-mail address of the contact; published', '', 200),
    organization: text('Organization of the contact', '', 200),
    rights_holder: text('Who holds the rights; the contact when it is empty', '', 200),
    data_licence: choice('Licence of the data', LICENCES, 'CC-BY-4.0'),
    media_licence: choice('Licence of recordings and pictures', LICENCES, 'CC-BY-4.0'),
    coordinate_digits: whole(
      'Decimals of the coordinates that are published; 2 are about a kilometre',
      2,
      0,
      5,
    ),
    habitat: text('What surrounds the cameras, such as garden or forest edge', '', 500),
    bait_use: flag('Whether there is food at the cameras, even when none is noted', true),
  }),
  mcp: group('MCP', 'The token of MCP clients', {
    enabled: flag('Whether assistants may connect by the Model Context Protocol', false),
  }),
  secrets: group('Place and keys', 'Location of the hub, and keys of external services', {
    ebird_api_key: secret('Key of the eBird API'),
    xeno_canto_api_key: secret('Key of the xeno-canto API'),
    openweather_api_key: secret('Key of the OpenWeather API'),
    latitude: degrees('Latitude of the hub in degrees, north positive'),
    longitude: degrees('Longitude of the hub in degrees, east positive'),
    zip: text('Postal code of the hub', '', 20),
  }),
};

/** Settings that are lists, not groups; a change replaces the whole list. */
const lists = {
  hooks: Type.Array(HookSchema, {
    title: 'Webhooks in',
    description: 'What programs may post to `/api/processor/hooks/{name}`, and how it becomes a sighting',
    default: [],
    maxItems: 50,
  }),
};

/** The runtime settings of the hub; unknown keys are kept and returned unchanged. */
export const SettingsSchema = Type.Object({ ...groups, ...lists }, { additionalProperties: true });

/** The shape of {@link SettingsSchema}. */
export type Settings = Static<typeof SettingsSchema>;

/** Returns the defaults declared by the schema of an object, recursively. */
function defaultsOf(schema: TObject): Record<string, unknown> {
  const entries = Object.entries(schema.properties).map(([key, property]) => {
    const { type, default: value } = property as { type?: string; default?: unknown };
    const isNested = type === 'object' && value === undefined;
    return [key, isNested ? defaultsOf(property as TObject) : value];
  });
  return Object.fromEntries(entries);
}

const defaults = defaultsOf(SettingsSchema);

/** Returns the default settings; zone and region are those of the host. */
export function defaultSettings(timezone: string): Settings {
  const settings = structuredClone(defaults) as Settings;
  return { ...settings, general: { ...settings.general, timezone, region: guessRegion({ timezone }) } };
}

/** Settings as stored: only changed values, secrets sealed, passwords hashed. */
export type StoredSettings = Readonly<Record<string, unknown>>;

/** A place within the settings: keys, and positions in lists. */
export type Path = readonly string[];

const knownGroups: Readonly<Record<string, { readonly properties: object }>> = groups;

function propertiesOf(group: string): object | undefined {
  return Object.hasOwn(knownGroups, group) ? knownGroups[group]?.properties : undefined;
}

/** Whether the place is a known group, such as `visits`. */
export function isKnownGroup([group = '', ...inside]: Path): boolean {
  return inside.length === 0 && propertiesOf(group) !== undefined;
}

/** Whether the place is a known list, such as `hooks`. */
export function isKnownList([name = '', ...inside]: Path): boolean {
  return inside.length === 0 && Object.hasOwn(lists, name);
}

/** Whether the place is a known key, such as `visits.gap_seconds`. */
export function isKnownKey([group = '', key = '', ...inside]: Path): boolean {
  return inside.length === 0 && Object.hasOwn(propertiesOf(group) ?? {}, key);
}

/** Returns the JSON Pointer of a place. */
export function pointerTo(path: Path): string {
  return path.map((key) => `/${escapePointer(key)}`).join('');
}

/** Whether a value is a plain object. */
export function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the region of the settings at eBird; undefined when they name no country. */
export function ebirdRegionOf({ ebird }: Pick<Settings, 'ebird'>): string | undefined {
  const country = ebird.country.trim().toUpperCase();
  const state = ebird.state.trim().toUpperCase();
  if (!country) return undefined;
  if (!state) return country;
  return state.startsWith(`${country}-`) ? state : `${country}-${state}`;
}
