import { Prisma } from '@birdhub/shared/db';
import { createSentences, type Sentence, shownSentences } from '@birdhub/shared/errors';
import type { RefusedAddressError } from '@birdhub/shared/outgoing';

/** Why a message did not arrive, in English; pages translate it by its code. */
export const deliveryFailures = {
  status: 'answered {{status}}',
  status_reason: 'answered {{status}}: {{reason}}',
  no_answer: 'no answer within {{seconds}} s',
  no_answer_in_time: 'no answer in time ({{code}})',
  unreachable: 'not reachable ({{code}})',
  address_own: 'this is the address of a service of the hub itself',
  address_outside: 'the host is not an address of this network or of the internet',
  apprise_key_unknown: 'answered 204: Apprise has no configuration under this key',
  apprise_incomplete: 'answered 424: Apprise could not reach every service',
  mail_refused: 'answered {{reply}}',
  mail_insecure: 'no secure connection: {{reason}} ({{code}})',
  broker_away: 'the MQTT broker is not connected',
  broker_silent: 'the MQTT broker did not acknowledge the message',
  broker_address: 'the broker is not an address',
  unsubscribed: 'unsubscribed',
  push_keys: 'the keys of web push are not usable',
  too_old: 'too old by now',
  paused: 'the channel is paused',
  secrets_lost: 'its secrets must be entered again',
  internal: 'internal error',
  interrupted: 'the hub stopped while it was sent; it may have arrived',
  channel_deleted: 'the channel was deleted',
  queue_full: 'too many messages are waiting for this channel',
  no_browser: 'No browser has subscribed to this hub yet.',
  key_lost: 'The key of its secrets is lost: enter them again.',
  some_of: '{{failed}} of {{total}}:',
} as const;

/** One of {@link deliveryFailures} with its values, which contain no secrets. */
export type DeliveryFailure = Sentence<keyof typeof deliveryFailures>;

export const { say, toEnglish } = createSentences(deliveryFailures);

/** Returns the failure of an address that the guard refuses. */
export const refusedAddress = ({ isOwn }: RefusedAddressError): DeliveryFailure =>
  say(isOwn ? 'address_own' : 'address_outside');

/** Returns the columns of a failure for Prisma. */
export const toColumns = (failure: DeliveryFailure | null) =>
  failure
    ? { error: toEnglish(failure), sentences: shownSentences([failure]) }
    : { error: null, sentences: Prisma.DbNull };

/** Returns the columns of a failure, `error` and `sentences`, for SQL. */
export const toValues = (failure: DeliveryFailure) => [toEnglish(failure), JSON.stringify([failure])];
