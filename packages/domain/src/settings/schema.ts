import { maxPasswordLength } from '@birdhub/shared/passwords';
import { escapePointer } from '@birdhub/shared/validation';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { timeFormats } from '../language/clock.js';
import { hubLanguages } from '../language/language.js';
import { unitSettings } from '../language/units.js';
import { guessRegion, regionNames } from '../species/region.js';
import { HookSchema } from './hook.js';

/** A group of settings: the known keys; unknown ones are kept and returned. */
const group = <P extends TProperties>(title: string, description: string, properties: P) =>
  Type.Object(properties, { title, description, additionalProperties: true });

const text = (description: string, value = '', maxLength = 1_000) =>
  Type.String({ description, default: value, maxLength });
/** Without wildcards, because a broker disconnects clients that publish to a topic with wildcards. */
const topic = (description: string, value: string) =>
  Type.String({ description, default: value, maxLength: 500, pattern: '^[^#+]*$' });
const secret = (description: string) => text(description, '', 4_096);
const password = (description: string) => text(description, '', maxPasswordLength);
const flag = (description: string, value: boolean) => Type.Boolean({ description, default: value });
const choice = <const T extends readonly string[]>(description: string, values: T, value: T[number]) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, description, default: value });
const amount = (description: string, value: number, minimum: number, maximum: number) =>
  Type.Number({ description, default: value, minimum, maximum });
const integer = (description: string, value: number, minimum: number, maximum: number) =>
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
    id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of the camera, as used by the processor in recordings',
    }),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'Display name of the camera' })),
    stream_url: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'URL of the live picture; its password is returned as `***`',
      }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the camera is in use; defaults to true' })),
  },
  { additionalProperties: true },
);

/** Licences for published data, by their SPDX identifiers. */
const licences = ['CC0-1.0', 'CC-BY-4.0', 'CC-BY-NC-4.0'] as const;

const groups = {
  general: group('General', 'Name, time zone, language, units, passwords and privacy', {
    app_name: text('Name of the hub, shown on pages and in reports', 'Birdhub', 100),
    timezone: text(
      'Time zone of the hub, an IANA name such as Europe/Berlin; days are calendar days in this time zone',
      '',
      100,
    ),
    region: choice(
      'Region of the world, which determines the meaning of short English bird names (Robin, Magpie); ' +
        'derived from the coordinates, country or time zone when not set',
      regionNames,
      'other',
    ),
    language: choice(
      'Language of notifications and digests; pages, cards and reports use the language of the browser',
      hubLanguages,
      'en',
    ),
    units: choice(
      'Units of displayed values: `metric` for °C and m/s, `imperial` for °F and mph, `auto` for those of ' +
        'the country of the time zone',
      unitSettings,
      'auto',
    ),
    time_format: choice(
      'Time format on pages and in messages: `auto` for the format of the language, `12h` or `24h`',
      timeFormats,
      'auto',
    ),
    enable_notifications: flag('Whether notifications of visits are sent', false),
    notification_excluded_species: names('Species for which no notifications are sent'),
    settings_password: password(
      'Password of the administrator; when empty, everyone has full access to the hub',
    ),
    contributor_password: password('Password of contributors, who may review; requires `settings_password`'),
    session_idle_minutes: integer(
      'Minutes of inactivity after which an unlocked browser is locked; 0 for never',
      30,
      0,
      44_640,
    ),
    require_auth_for_video_stream: flag(
      'Whether recordings and whole frames are only available when the hub is unlocked',
      false,
    ),
  }),
  visits: group('Visits', 'How detections are grouped into visits', {
    gap_seconds: amount(
      'Seconds without a detection after which the next detection starts a new visit',
      60,
      0,
      86_400,
    ),
  }),
  ui: group('Pages', 'Display options of pages', {
    unknown_confidence_threshold: amount('Confidence below which a detection is doubtful', 0.5, 0, 1),
  }),
  detection: group('Detection', 'How detections posted by processors are stored', {
    min_confidence_to_store: amount(
      'Minimum confidence of posted detections; those below it are not stored',
      0.05,
      0,
      1,
    ),
    species_mapping: mapping(
      'Maps species names sent by processors to the names under which they are stored',
    ),
  }),
  sharing: group('Sharing', 'Links to share a recording or a day', {
    enabled: flag('Whether links may be created; when false, existing links show nothing', true),
    place_name: text('Name of the place shown on shared days, such as a village; empty for none', '', 100),
  }),
  video: group('Cameras', 'The cameras', {
    cameras: Type.Array(CameraSettingSchema, {
      description: 'Cameras of the hub',
      default: [],
      maxItems: 100,
    }),
  }),
  mqtt: group('MQTT', 'The MQTT broker, and the messages exchanged with it', {
    broker: text('Host or URL of the MQTT broker; empty for none. Its password is returned as `***`'),
    port: integer('TCP port of the broker', 1883, 1, 65_535),
    username: text('User name for the broker'),
    password: secret('Password for the broker'),
    publish_topic: topic('Topic to which each visit is published; empty for none', 'birdhub/visits'),
    ha_discovery: flag('Whether Home Assistant finds the hub through MQTT discovery', true),
    accept_posts: flag('Whether recordings, sightings and heartbeats received over MQTT are stored', false),
    post_topic: Type.String({
      description:
        'Topic prefix of received messages: `<topic>/<camera>`, and `<topic>/<camera>/status` for heartbeats',
      default: 'birdhub/in',
      maxLength: 200,
      pattern: '^[^/#+$\\u0000-\\u001f][^/#+\\u0000-\\u001f]*(?:/[^/#+\\u0000-\\u001f]+)*$',
    }),
  }),
  feed: group('Feeder', 'How the feeder is controlled', {
    source: choice('How the feeder is controlled', ['none', 'mqtt', 'esphome'], 'none'),
    duration_seconds: amount('Seconds for which the feeder stays on', 3, 0.1, 60),
    cooldown_seconds: amount('Minimum seconds between two portions', 30, 0, 86_400),
    mqtt_topic: topic('Topic that switches the feeder', 'cmnd/bird_feeder/Power'),
    esphome_url: webAddress('URL of the ESPHome device; its password is returned as `***`'),
    esphome_switch_id: text('Id of the switch or button of the ESPHome device', 'bird_feeder', 200),
    esphome_type: choice('Type of the control of the ESPHome device', ['switch', 'button'], 'switch'),
  }),
  weather: group('Weather', 'Source of weather data', {
    source: choice(
      'Source of weather data',
      ['open-meteo', 'openweather', 'homeassistant', 'none'],
      'open-meteo',
    ),
    ha_entity_id: text('Id of the weather entity in Home Assistant', 'weather.home', 200),
  }),
  homeassistant: group('Home Assistant', 'The connection to Home Assistant', {
    url: webAddress('URL of Home Assistant'),
    token: secret('Long-lived access token of Home Assistant'),
  }),
  retention: group('Retention', 'Which media files are kept', {
    days: integer('Maximum age of media files in days; 0 for no limit', 90, 0, 36_500),
    max_gb: amount(
      'Maximum total size of media files in GB, above which the oldest are purged; 0 for no limit',
      32,
      0,
      1_000_000,
    ),
    min_free_gb: amount('Minimum free disk space in GB', 2, 0, 1_000_000),
    protect_favorites: flag('Has no effect, kept for compatibility: favourites are never purged', true),
    keep_best_per_species: integer(
      'Number of best recordings per species that are not purged because of their age',
      3,
      0,
      1_000,
    ),
  }),
  notifications: group('Notifications', 'When notifications are sent, and the Telegram bot', {
    cooldown_seconds: integer('Minimum seconds between two messages about the same species', 300, 0, 86_400),
    max_age_minutes: integer('Minutes after which a visit is too old for a notification', 15, 1, 1_440),
    quiet_hours_start: timeOfDay(
      'Start of the quiet hours, in which no messages are sent, HH:MM in the time zone of the hub',
    ),
    quiet_hours_end: timeOfDay('End of the quiet hours, HH:MM in the time zone of the hub'),
    base_url: webAddress('URL of the hub, used for links in messages'),
    telegram_bot_token: secret('Token of the Telegram bot'),
    telegram_chat_id: text('Id of the chat to which the Telegram bot sends messages', '', 100),
  }),
  digest: group('Digest', 'A summary of the birds of a day, a week or a month', {
    frequency: choice('How often the digest is sent', ['off', 'daily', 'weekly', 'monthly'], 'off'),
    time: Type.String({
      description:
        'Time of day at which the digest is sent, HH:MM in the time zone of the hub; ' +
        'it covers the days before',
      default: '07:00',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    }),
    weekday: integer(
      'Day of the week on which a weekly digest is sent, from 1 for Monday to 7 for Sunday',
      1,
      1,
      7,
    ),
    channels: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      description: 'Ids of the channels to which the digest is sent; all enabled channels when empty',
      default: [],
      maxItems: 50,
    }),
    report: flag('Whether channels that support files receive the report as PDF', true),
  }),
  web_push: group('Web push', 'Notifications in browsers', {
    enabled: flag('Whether subscribed browsers receive messages', true),
    vapid_public_key: text('Public key of the hub; generated once', '', 200),
    vapid_private_key: secret('Private key of the hub; generated once'),
  }),
  webhook: group('Webhook', 'The webhook to which visits are posted', {
    url: webAddress('URL to which each message is posted'),
    secret: secret('Key with which each message is signed'),
  }),
  ebird: group('eBird', 'Region and checklists at eBird', {
    country: Type.String({
      description: 'Country of the hub, two-letter code',
      default: 'US',
      pattern: '^$|^[A-Za-z]{2}$',
    }),
    state: text('State or province, as in its ISO 3166-2 code', '', 10),
    location_name: text('Name of the location in checklists', '', 200),
    protocol: text('Protocol of checklists', 'Stationary', 50),
    complete_checklist: flag('Whether checklists report all birds that were seen', false),
    species_mapping: mapping('Maps species names in the hub to species names at eBird'),
  }),
  science: group('Science', 'Project information in scientific exports', {
    title: text('Title of the data set; derived from the name of the location when empty', '', 200),
    description: text('Description of what was recorded, how and why', '', 4_000),
    contact_name: text('Name of the contact for questions about the data', '', 200),
    contact_email: text('E-mail address of the contact, which is published', '', 200),
    organization: text('Organization of the contact', '', 200),
    rights_holder: text('Rights holder; defaults to the contact when empty', '', 200),
    data_licence: choice('Licence of the data', licences, 'CC-BY-4.0'),
    media_licence: choice('Licence of recordings and pictures', licences, 'CC-BY-4.0'),
    coordinate_digits: integer(
      'Number of decimals of published coordinates; 2 decimals are about one kilometre',
      2,
      0,
      5,
    ),
    habitat: text('Habitat around the cameras, such as garden or forest edge', '', 500),
    bait_use: flag('Whether there is food at the cameras, even when no food is listed in the hub', true),
  }),
  mcp: group('MCP', 'Access for assistants', {
    enabled: flag('Whether assistants may connect over the Model Context Protocol', false),
  }),
  secrets: group('Place and keys', 'Location of the hub, and keys of external services', {
    ebird_api_key: secret('Key for the eBird API'),
    xeno_canto_api_key: secret('Key for the xeno-canto API'),
    openweather_api_key: secret('Key for the OpenWeather API'),
    latitude: degrees('Latitude of the hub in degrees, north positive'),
    longitude: degrees('Longitude of the hub in degrees, east positive'),
    zip: text('Postal code of the hub', '', 20),
  }),
};

/** Settings that are lists, not groups; a change replaces the whole list. */
const lists = {
  hooks: Type.Array(HookSchema, {
    title: 'Webhooks in',
    description:
      'Webhooks to which programs post at `/api/processor/hooks/{name}`, and the ' +
      'mapping of a post to a sighting',
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

/** Returns whether a place is a known group, such as `visits`. */
export function isKnownGroup([group = '', ...inside]: Path): boolean {
  return inside.length === 0 && propertiesOf(group) !== undefined;
}

/** Returns whether a place is a known list, such as `hooks`. */
export function isKnownList([name = '', ...inside]: Path): boolean {
  return inside.length === 0 && Object.hasOwn(lists, name);
}

/** Returns whether a place is a known key, such as `visits.gap_seconds`. */
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

/** Returns the eBird region code of the settings; undefined when they contain no country. */
export function ebirdRegionOf({ ebird }: Pick<Settings, 'ebird'>): string | undefined {
  const country = ebird.country.trim().toUpperCase();
  const state = ebird.state.trim().toUpperCase();
  if (!country) return undefined;
  if (!state) return country;
  return state.startsWith(`${country}-`) ? state : `${country}-${state}`;
}
