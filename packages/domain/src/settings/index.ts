export {
  type ChangedSettings,
  createSettingsWriter,
  type SettingsChange,
  type SettingsWriter,
  type SettingsWriterDeps,
  type ShownSettings,
} from './change-settings.js';
export { withDefaults } from './effective-settings.js';
export {
  checkHookMappings,
  compileHookPattern,
  type Hook,
  type HookField,
  type HookMapping,
  HookMappingSchema,
  HookSchema,
  hookFields,
  type MatchText,
} from './hook.js';
export { type ResealedSecrets, resealIn, resealSecrets, rotateSecrets } from './rotate-secrets.js';
export { defaultSettings, ebirdRegionOf, type Settings, SettingsSchema } from './schema.js';
export {
  type OpenSettings,
  openSettings,
  requireSettingsVersion,
  type SettingsDeps,
  SettingsReader,
} from './settings.js';
export { type RenewedHash, replacePasswordHash } from './settings.store.js';
