import type { onRequestHookHandler } from 'fastify';
import type { SettingsReader } from './settings-reader.js';

/** Answers by settings that are no older than those the caller was told of: `x-hub-settings` names their version. */
export function heedCallers(settings: Pick<SettingsReader, 'heed'>): onRequestHookHandler {
  return ({ headers }, _reply, done) => {
    settings.heed(Number(headers['x-hub-settings']));
    done();
  };
}
