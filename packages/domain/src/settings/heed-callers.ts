import type { IncomingHttpHeaders } from 'node:http';
import type { SettingsReader } from './settings-reader.js';

/** Answers by settings that are no older than those the caller was told of: `x-hub-settings` names their version. */
export function heedCallers(settings: Pick<SettingsReader, 'heed'>) {
  return ({ headers }: { readonly headers: IncomingHttpHeaders }, _reply: unknown, done: () => void) => {
    settings.heed(Number(headers['x-hub-settings']));
    done();
  };
}
