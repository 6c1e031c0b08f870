import type { Settings } from '@birdhub/domain/settings';

/** What gives a portion, and how it is spoken to. */
export type FeederDevice =
  | { readonly kind: 'mqtt'; readonly topic: string }
  | { readonly kind: 'esphome_switch' | 'esphome_button'; readonly url: string; readonly id: string };

/** The feeder of the settings; undefined when they name none, or not all of it. */
export function findFeeder(feed: Settings['feed']): FeederDevice | undefined {
  const topic = feed.mqtt_topic.trim();
  const id = feed.esphome_switch_id.trim();
  if (feed.source === 'mqtt' && topic) return { kind: 'mqtt', topic };
  if (feed.source !== 'esphome' || !feed.esphome_url || !id) return undefined;
  return { kind: `esphome_${feed.esphome_type}`, url: feed.esphome_url, id };
}

/** Whether it stays open until it is told to close; a button gives one portion by itself. */
export function staysOpen({ kind }: FeederDevice): boolean {
  return kind !== 'esphome_button';
}
