export { heedCallers } from './heed-callers.js';
export { type OpenSettings, openSettings, type SettingsSource } from './open-settings.js';
export { requireUnlocked } from './require-unlocked.js';
export { type ResealedSecrets, resealIn, resealSecrets, rotateSecrets } from './rotate-secrets.js';
export { type RenewedHash, replacePasswordHash } from './settings.store.js';
export { createSettingsReader, type SettingsReader } from './settings-reader.js';
export { defaultSettings, type Settings, SettingsSchema } from './settings-schema.js';
export {
  type ChangedSettings,
  createSettingsWriter,
  type SettingsChange,
  type SettingsWriter,
  type SettingsWriterOptions,
  type ShownSettings,
} from './settings-writer.js';
export { withDefaults } from './with-defaults.js';
