import { createNaming } from '@birdhub/domain/recordings';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import {
  normaliseSpeciesName,
  type SpeciesDirectory,
  type SpeciesTree,
  speciesKey,
} from '@birdhub/domain/species';
import type { Bus, DeadLetter, Subscription } from '@birdhub/shared/bus';
import type { PrismaClient } from '@birdhub/shared/db';
import type { EventMap } from '@birdhub/shared/events';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ChannelHub, Message } from '../channels/index.js';
import { localTime, noticeMessage, visitMessage } from './message.js';
import { addNotification, findSpeciesPicture, findVisitDetails } from './notifications.store.js';

/** What the policy needs. */
export interface NotificationPolicyDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly channels: Pick<ChannelHub, 'list'>;
  readonly clock: Clock;
  readonly basePath: string;
}

interface Candidate {
  readonly message: Message;
  readonly speciesName: string;
  /** ms since the epoch */
  readonly from: number;
  readonly to: number;
}

const backoffMs = [500, 2_000, 15_000];

/** Enough for an event to expire, after a day at most, while the database is not reachable. */
const maxDeliver = 24 * 60 * 4 + backoffMs.length;

/**
 * Queues notifications for visits that start and for detection notices. They are stored before their event is
 * acknowledged.
 */
export function consumeNotificationEvents(
  deps: NotificationPolicyDeps & { readonly bus: Pick<Bus, 'consume'>; readonly onQueued: () => void },
): Subscription[] {
  const { bus, pool, onQueued } = deps;
  const policy = new NotificationPolicy(deps);
  const options = {
    deliver: 'new',
    maxDeliver,
    backoffMs,
    concurrency: 32,
    onDeadLetter: (letter: DeadLetter) => recordDeadLetter(pool, letter),
  } as const;
  const visits = { ...options, durable: 'system-push', subject: 'hub.v1.visit.started' } as const;
  const notices = {
    ...options,
    durable: 'system-push-notices',
    subject: 'hub.v1.detection.notified',
  } as const;
  return [
    bus.consume(visits, async ({ payload }) => {
      if (await policy.queueVisit(payload)) onQueued();
    }),
    bus.consume(notices, async ({ payload }) => {
      if (await policy.queueNotice(payload)) onQueued();
    }),
  ];
}

/** Decides by the settings which events cause notifications; the same for all channels. */
class NotificationPolicy {
  readonly #deps: NotificationPolicyDeps;

  constructor(deps: NotificationPolicyDeps) {
    this.#deps = deps;
  }

  /** Returns whether a notification was queued. */
  async queueVisit(event: EventMap['hub.v1.visit.started']): Promise<boolean> {
    const { visit_id, video_id, start_time } = event;
    const settings = await this.#deps.settings.current();
    if (this.#isSuppressed(Date.parse(start_time), settings)) return false;
    const visit = await findVisitDetails(this.#deps.pool, visit_id);
    if (!visit) return false;
    const message = visitMessage(visit_id, video_id, visit, this.#context(settings));
    const { speciesName, start: from, end: to } = visit;
    return this.#queue({ message, speciesName, from, to }, settings);
  }

  /** Returns whether a notification was queued. */
  async queueNotice(event: EventMap['hub.v1.detection.notified']): Promise<boolean> {
    const { notice_id, species_name, link, image_path, has_image, notified_at } = event;
    const { prisma, directory } = this.#deps;
    const settings = await this.#deps.settings.current();
    const at = Date.parse(notified_at);
    if (this.#isSuppressed(at, settings)) return false;
    const tree = await directory.tree();
    const label = createNaming(settings)(species_name);
    const speciesName = canonicalName(tree, label);
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
    const message = noticeMessage(notice, this.#context(settings));
    return this.#queue({ message, speciesName, from: at, to: at }, settings);
  }

  /** Checks what needs no database; most events end here. */
  #isSuppressed(at: number, settings: Settings): boolean {
    const now = this.#deps.clock.now();
    const isEnabled = settings.general.enable_notifications;
    return !isEnabled || now >= expiryOf(at, settings) || isQuiet(settings, now);
  }

  async #queue({ message, speciesName, from, to }: Candidate, settings: Settings): Promise<boolean> {
    const { pool, clock } = this.#deps;
    if (await this.#isExcluded(speciesName, settings)) return false;
    const channels = await this.#deps.channels.list();
    if (!channels.some(({ enabled }) => enabled)) return false;
    const expiresAt = expiryOf(from, settings);
    const notification = { message, speciesKey: speciesKey(speciesName), from, to, expiresAt };
    return addNotification(pool, notification, {
      now: clock.now(),
      cooldownMs: settings.notifications.cooldown_seconds * 1_000,
      gapMs: settings.visits.gap_seconds * 1_000,
    });
  }

  async #isExcluded(speciesName: string, { general }: Settings): Promise<boolean> {
    const excluded = general.notification_excluded_species;
    if (!excluded.length) return false;
    const tree = await this.#deps.directory.tree();
    const key = speciesKey(speciesName);
    return excluded.some((name) => speciesKey(canonicalName(tree, name)) === key);
  }

  #context(settings: Settings) {
    const base = { baseUrl: settings.notifications.base_url, basePath: this.#deps.basePath };
    return { settings, base };
  }
}

function expiryOf(at: number, { notifications }: Settings): number {
  return at + notifications.max_age_minutes * 60_000;
}

/** Returns the name of the species that a label belongs to, or the label itself when it is unknown. */
function canonicalName(tree: SpeciesTree, label: string): string {
  const id = tree.find(label);
  return (id !== undefined && tree.nodes.get(id)?.name) || normaliseSpeciesName(label);
}

/** Returns whether an instant is within quiet hours, which may span midnight; equal ends mean none. */
export function isQuiet({ general, notifications }: Settings, now: number): boolean {
  const { quiet_hours_start: start, quiet_hours_end: end } = notifications;
  if (!start || !end) return false;
  const time = localTime(general.timezone, now);
  return start <= end ? start <= time && time < end : time >= start || time < end;
}
