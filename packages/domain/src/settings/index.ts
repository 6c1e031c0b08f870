export { hubName } from './effective-settings.js';
export {
  checkHookMappings,
  compileHookPattern,
  type Hook,
  type HookField,
  type HookMapping,
  HookMappingSchema,
  HookSchema,
  hookFields,
  isNameField,
  type MatchText,
} from './hook.js';
export { type OpenSettings, openSettings, type SettingsDeps } from './open-settings.js';
export { type ResealedSecrets, resealIn, resealSecrets, rotateSecrets } from './rotate-secrets.js';
export { defaultSettings, ebirdRegionOf, type Settings, SettingsSchema } from './schema.js';
export { type RenewedHash, replacePasswordHash } from './settings.store.js';
export { requireSettingsVersion, SettingsReader } from './settings-reader.js';
export {
  type ChangedSettings,
  type SettingsChange,
  SettingsWriter,
  type SettingsWriterDeps,
  type ShownSettings,
} from './settings-writer.js';
