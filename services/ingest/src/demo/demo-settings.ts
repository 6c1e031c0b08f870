import { isDeepStrictEqual } from 'node:util';
import type { HubLanguage } from '@birdhub/domain/language';
import type { Settings, SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { HubError } from '@birdhub/shared/errors';
import { cameraOf, type DemoAdditions, type DemoOptions, demoName, type SetSetting } from './demo.store.js';

const by = { role: 'admin', accessToken: demoName, requestId: 'demo' };
const cameraIds = [cameraOf('garden'), cameraOf('balcony')] as const;

/** In the order of their ids. */
const cameraNames: Readonly<Record<HubLanguage, readonly [string, string]>> = {
  en: ['Garden', 'Balcony'],
  de: ['Garten', 'Balkon'],
  es: ['Jardín', 'Balcón'],
  fr: ['Jardin', 'Balcon'],
  it: ['Giardino', 'Balcone'],
  nl: ['Tuin', 'Balkon'],
  pl: ['Ogród', 'Balkon'],
  ru: ['Сад', 'Балкон'],
};

/** Returns the settings that the demo will change: the place, unless the hub has one, and the names of its cameras. */
export async function planDemoSettings(
  reader: Pick<SettingsReader, 'current'>,
  { latitude, longitude, timezone }: DemoOptions,
): Promise<Pick<DemoAdditions, 'settings' | 'cameras' | 'hasPlace'>> {
  const { secrets, general, video } = await reader.current();
  const hasPlace = !secrets.latitude.trim() && !secrets.longitude.trim();
  const place: SetSetting[] = hasPlace
    ? [
        { group: 'secrets', key: 'latitude', value: String(latitude), before: null },
        { group: 'secrets', key: 'longitude', value: String(longitude), before: null },
        ...(general.timezone === timezone
          ? []
          : [{ group: 'general', key: 'timezone', value: timezone, before: general.timezone }]),
      ]
    : [];
  const missing = cameraIds.filter((id) => !video.cameras.some((camera) => camera.id === id));
  return { settings: place, cameras: missing, hasPlace };
}

/** Whether the hub has a place that the demo did not set. */
export function hasOwnPlace(now: Settings, { settings = [], hasPlace = false }: DemoAdditions = {}): boolean {
  const { latitude, longitude } = now.secrets;
  if (!latitude.trim() && !longitude.trim()) return false;
  const isOfDemo = settings.filter(({ group }) => group === 'secrets').every(isUnchangedIn(now));
  return !(hasPlace && isOfDemo);
}

function isUnchangedIn(now: Settings): (setting: SetSetting) => boolean {
  const groups = now as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return ({ group, key, value }) => isDeepStrictEqual(groups[group]?.[key], value);
}

/** Applies the planned settings; idempotent. */
export async function setDemoSettings(
  reader: Pick<SettingsReader, 'forget'>,
  writer: SettingsWriter,
  { settings = [], cameras = [] }: DemoAdditions,
  language: HubLanguage = 'en',
): Promise<void> {
  await changeSettings(writer, ({ video }) => {
    const missing = cameraIds.flatMap((id, at) =>
      cameras.includes(id) && !video.cameras.some((camera) => camera.id === id)
        ? [{ id, name: cameraNames[language][at] ?? id }]
        : [],
    );
    return {
      ...toChange(settings),
      ...(missing.length && { video: { cameras: [...video.cameras, ...missing] } }),
    };
  });
  reader.forget();
}

/**
 * Reverts the settings of the demo, except those that were changed since; with another place, its zone is kept too.
 * Returns whether the hub had no place of its own until now.
 */
export async function unsetDemoSettings(writer: SettingsWriter, additions: DemoAdditions): Promise<boolean> {
  const { settings = [], cameras = [], hasPlace = false } = additions;
  const isWithoutOwnPlace = (now: Settings) => hasPlace && !hasOwnPlace(now, additions);
  const before = await changeSettings(writer, (now) => {
    const own = isWithoutOwnPlace(now) ? settings.filter(isUnchangedIn(now)) : [];
    const left = now.video.cameras.filter(({ id }) => !cameras.includes(id));
    return {
      ...toChange(own.map(({ group, key, before: value }) => ({ group, key, value }))),
      ...(left.length !== now.video.cameras.length && { video: { cameras: left.length ? left : null } }),
    };
  });
  return isWithoutOwnPlace(before);
}

/** Makes a change that depends on the settings, again when they were changed meanwhile. Returns the settings before. */
async function changeSettings(
  writer: SettingsWriter,
  plan: (now: Settings) => Parameters<SettingsWriter['change']>[0],
): Promise<Settings> {
  const { settings, version } = await writer.read();
  const change = plan(settings);
  try {
    if (Object.keys(change).length) await writer.change(change, { ...by, ifVersions: [version] });
    return settings;
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'conflict') throw error;
    return changeSettings(writer, plan);
  }
}

function toChange(set: readonly { readonly group: string; readonly key: string; readonly value: unknown }[]) {
  const change: Record<string, Record<string, unknown>> = {};
  for (const { group, key, value } of set) change[group] = { ...change[group], [key]: value };
  return change;
}
