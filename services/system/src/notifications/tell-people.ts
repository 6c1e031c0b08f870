import { createNaming } from '@birdhub/domain/recordings';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import {
  normaliseSpeciesName,
  type SpeciesDirectory,
  type SpeciesTree,
  speciesKey,
} from '@birdhub/domain/species';
import type { PrismaClient } from '@birdhub/shared/db';
import type { EventMap } from '@birdhub/shared/events';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { type Channels, channelNames, type Message } from './channel.js';
import { findSpeciesPicture, findVisitNews } from './news.store.js';
import { addNotification, type Target } from './notifications.store.js';
import { isQuiet } from './quiet-hours.js';
import { writeNotice, writeVisit } from './write-message.js';

/** What decides whether people are told, and keeps what they are told. */
export interface TellingParts {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly basePath: string;
}

/** Each resolves when messages wait for their delivery, or nobody is to be told; answers whether any do. */
export interface Telling {
  ofVisit(visit: EventMap['hub.v1.visit.started']): Promise<boolean>;
  ofNotice(notice: EventMap['hub.v1.detection.notified']): Promise<boolean>;
}

interface News {
  readonly message: Message;
  readonly speciesName: string;
  readonly from: number;
  readonly to: number;
}

/** The name that the hub knows a label by; the label itself for what it does not know. */
function knownName(tree: SpeciesTree, label: string): string {
  const id = tree.find(label);
  return (id !== undefined && tree.nodes.get(id)?.name) || normaliseSpeciesName(label);
}

/** The rules of the settings, for visits and announcements and all channels alike. */
export function createTelling(parts: TellingParts): Telling {
  const { pool, prisma, directory, channels, clock, basePath } = parts;
  const expiryOf = (at: number, { notifications }: Settings) => at + notifications.max_age_minutes * 60_000;
  const placeOf = ({ notifications }: Settings) => ({ baseUrl: notifications.base_url, basePath });

  /** Most events end here, before anything is read. */
  function isSilent(at: number, settings: Settings): boolean {
    const now = clock.now();
    const isOn = settings.general.enable_notifications;
    return !isOn || now >= expiryOf(at, settings) || isQuiet(settings, now);
  }

  async function isExcluded(speciesName: string, { general }: Settings): Promise<boolean> {
    if (!general.notification_excluded_species.length) return false;
    const tree = await directory.tree();
    const key = speciesKey(speciesName);
    return general.notification_excluded_species.some((name) => speciesKey(knownName(tree, name)) === key);
  }

  async function targetsOf(settings: Settings): Promise<Target[]> {
    const found = await Promise.all(
      channelNames.map(async (channel) => {
        const targets = await channels[channel].targets(settings, pool);
        return targets.map((target) => ({ channel, target }));
      }),
    );
    return found.flat();
  }

  async function tell({ message, speciesName, from, to }: News, settings: Settings): Promise<boolean> {
    if (await isExcluded(speciesName, settings)) return false;
    const targets = await targetsOf(settings);
    if (!targets.length) return false;
    const expiresAt = expiryOf(from, settings);
    const notification = { message, speciesKey: speciesKey(speciesName), from, to, expiresAt };
    return addNotification(pool, notification, targets, {
      now: clock.now(),
      cooldownMs: settings.notifications.cooldown_seconds * 1_000,
      gapMs: settings.visits.gap_seconds * 1_000,
    });
  }

  return {
    async ofVisit({ visit_id, video_id, start_time }) {
      const settings = await parts.settings.current();
      if (isSilent(Date.parse(start_time), settings)) return false;
      const visit = await findVisitNews(pool, visit_id);
      if (!visit) return false;
      const message = writeVisit(visit_id, video_id, visit, { settings, place: placeOf(settings) });
      const { speciesName, start: from, end: to } = visit;
      return tell({ message, speciesName, from, to }, settings);
    },

    async ofNotice({ notice_id, species_name, link, image_path, has_image, notified_at }) {
      const settings = await parts.settings.current();
      const at = Date.parse(notified_at);
      if (isSilent(at, settings)) return false;
      const tree = await directory.tree();
      const label = createNaming(settings)(species_name);
      const speciesName = knownName(tree, label);
      const speciesId = tree.find(label);
      const imageUrl = speciesId === undefined ? null : await findSpeciesPicture(prisma, speciesId);
      const notice = {
        noticeId: notice_id,
        speciesName,
        at,
        link,
        imagePath: image_path,
        hasImage: has_image,
        imageUrl,
      };
      const message = writeNotice(notice, { settings, place: placeOf(settings) });
      return tell({ message, speciesName, from: at, to: at }, settings);
    },
  };
}
