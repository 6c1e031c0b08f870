import type { SettingsReader } from '@birdhub/domain/settings';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { type Channel, type ChannelName, type Channels, channelNames, type Message } from './channel.js';
import { writeTest } from './write-message.js';

/** How a channel took a test message. */
export interface ChannelResult {
  readonly channel: ChannelName;
  readonly ok: boolean;
  readonly error: string | null;
}

/** What channels are tried with. */
export interface TrialParts {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly basePath: string;
}

const ttlSeconds = 60;

/** The channel's errors, each once; null when all targets took the message. */
async function sendToAll(
  channel: Channel,
  targets: readonly string[],
  message: Message,
): Promise<string | null> {
  const outcomes = await Promise.all(targets.map((target) => channel.send(message, target, ttlSeconds)));
  const errors = outcomes.filter(({ state }) => state !== 'sent').map(({ error }) => error);
  if (!errors.length) return null;
  const reasons = [...new Set(errors)].join('; ');
  return targets.length > 1 ? `${errors.length} of ${targets.length}: ${reasons}` : reasons;
}

/** Sends a test message to every configured channel at once, whatever the rules say; what fails is not tried again. */
export async function tryChannels(parts: TrialParts): Promise<ChannelResult[]> {
  const { pool, channels, clock, basePath } = parts;
  const settings = await parts.settings.current();
  const place = { baseUrl: settings.notifications.base_url, basePath };
  const message = writeTest(clock.now(), { settings, place });
  const results = await Promise.all(
    channelNames.map(async (channel) => {
      const targets = await channels[channel].targets(settings, pool);
      if (!targets.length) return [];
      const error = await sendToAll(channels[channel], targets, message);
      return [{ channel, ok: error === null, error }];
    }),
  );
  return results.flat();
}
