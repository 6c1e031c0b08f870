import { type Static, Type } from 'typebox';

const open = { additionalProperties: true } as const;

const CameraSettingSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64 }),
    name: Type.Optional(Type.String()),
    stream_url: Type.Optional(Type.String()),
    enabled: Type.Optional(Type.Boolean()),
  },
  open,
);

/** The runtime settings that the hub itself reads; every other key is kept and handed back untouched. */
export const SettingsSchema = Type.Object(
  {
    general: Type.Object({ timezone: Type.String() }, open),
    visits: Type.Object({ gap_seconds: Type.Number({ minimum: 0, maximum: 86_400 }) }, open),
    detection: Type.Object(
      {
        min_confidence_to_store: Type.Number({ minimum: 0, maximum: 1 }),
        species_mapping: Type.Record(Type.String(), Type.String()),
      },
      open,
    ),
    video: Type.Object({ cameras: Type.Array(CameraSettingSchema) }, open),
  },
  open,
);

/** The shape of {@link SettingsSchema}. */
export type Settings = Static<typeof SettingsSchema>;

/** What holds where nobody has set anything; the zone is the host's. */
export function defaultSettings(timezone: string): Settings {
  return {
    general: { timezone },
    visits: { gap_seconds: 60 },
    detection: { min_confidence_to_store: 0.05, species_mapping: {} },
    video: { cameras: [] },
  };
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lays what is stored over the defaults, group by group. */
export function withDefaults(stored: unknown, timezone: string): Settings {
  const defaults: Record<string, unknown> = defaultSettings(timezone);
  if (!isGroup(stored)) return defaults as Settings;
  const merged: Record<string, unknown> = { ...stored };
  for (const [group, values] of Object.entries(defaults)) {
    const own = stored[group];
    merged[group] = isGroup(own) && isGroup(values) ? { ...values, ...own } : values;
  }
  return merged as Settings;
}
