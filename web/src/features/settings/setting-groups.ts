/** Groups of settings in display order, each with the paths of its settings. */
export const settingGroups = {
  hub: [
    'general.app_name',
    'general.timezone',
    'general.region',
    'general.language',
    'general.units',
    'general.time_format',
    'secrets.latitude',
    'secrets.longitude',
    'secrets.zip',
  ],
  access: [
    'general.settings_password',
    'general.contributor_password',
    'general.session_idle_minutes',
    'general.require_auth_for_video_stream',
  ],
  sharing: ['sharing.enabled', 'sharing.place_name'],
  visits: [
    'visits.gap_seconds',
    'ui.unknown_confidence_threshold',
    'detection.min_confidence_to_store',
    'detection.species_mapping',
  ],
  cameras: ['video.cameras'],
  notifications: [
    'general.enable_notifications',
    'general.notification_excluded_species',
    'notifications.cooldown_seconds',
    'notifications.max_age_minutes',
    'notifications.quiet_hours_start',
    'notifications.quiet_hours_end',
    'notifications.base_url',
  ],
  digest: ['digest.frequency', 'digest.time', 'digest.weekday', 'digest.channels', 'digest.report'],
  feeder: [
    'feed.source',
    'feed.duration_seconds',
    'feed.cooldown_seconds',
    'feed.mqtt_topic',
    'feed.esphome_url',
    'feed.esphome_switch_id',
    'feed.esphome_type',
  ],
  storage: [
    'retention.days',
    'retention.max_gb',
    'retention.min_free_gb',
    'retention.keep_best_per_species',
    'retention.protect_favorites',
  ],
  weather: [
    'weather.source',
    'secrets.openweather_api_key',
    'homeassistant.url',
    'homeassistant.token',
    'weather.ha_entity_id',
  ],
  mqtt: [
    'mqtt.broker',
    'mqtt.port',
    'mqtt.username',
    'mqtt.password',
    'mqtt.publish_topic',
    'mqtt.ha_discovery',
    'mqtt.accept_posts',
    'mqtt.post_topic',
  ],
  ebird: [
    'secrets.ebird_api_key',
    'ebird.country',
    'ebird.state',
    'ebird.location_name',
    'ebird.protocol',
    'ebird.complete_checklist',
    'ebird.species_mapping',
  ],
  science: [
    'science.title',
    'science.description',
    'science.contact_name',
    'science.contact_email',
    'science.organization',
    'science.rights_holder',
    'science.data_licence',
    'science.media_licence',
    'science.coordinate_digits',
    'science.habitat',
    'science.bait_use',
  ],
  services: ['secrets.xeno_canto_api_key', 'mcp.enabled'],
} as const;

export type SettingGroup = keyof typeof settingGroups;

/** Path of a setting. */
export type SettingPath = (typeof settingGroups)[SettingGroup][number];

export const groupNames = Object.keys(settingGroups) as SettingGroup[];

/** Settings that are collapsed, as the more important ones are below them. */
export const advancedSettings: ReadonlySet<SettingPath> = new Set<SettingPath>([
  'general.notification_excluded_species',
  'notifications.cooldown_seconds',
  'notifications.max_age_minutes',
  'notifications.quiet_hours_start',
  'notifications.quiet_hours_end',
  'notifications.base_url',
]);
