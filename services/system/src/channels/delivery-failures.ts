import { Prisma } from '@birdhub/shared/db';
import { createSentences, type Sentence, shownSentences } from '@birdhub/shared/errors';
import type { RefusedAddressError } from '@birdhub/shared/outgoing';

/** Why a message did not arrive, in English; pages translate it by its code. */
export const deliveryFailures = {
  status: 'The service responded with status {{status}}.',
  status_reason: 'The service responded with status {{status}}: {{reason}}',
  no_answer: 'There was no response within {{seconds}} s.',
  no_answer_in_time: 'The mail server did not respond in time ({{code}}).',
  unreachable: 'It cannot be reached ({{code}}).',
  address_own: 'This address is not allowed: it belongs to a service of the hub itself.',
  address_outside: 'This address is not allowed: it is neither in this network nor on the internet.',
  apprise_key_unknown: 'Apprise has no configuration under this key.',
  apprise_incomplete: 'Apprise could not reach every service.',
  mail_refused: 'The mail server responded: {{reply}}',
  mail_insecure: 'There is no secure connection to the mail server: {{reason}} ({{code}})',
  broker_away: 'The MQTT broker is not connected.',
  broker_silent: 'The MQTT broker did not confirm the message.',
  broker_address: 'The broker’s address is not an MQTT address.',
  unsubscribed: 'This browser has unsubscribed.',
  push_keys: 'The keys for notifications in browsers cannot be used.',
  too_old: 'The message had become too old to be sent.',
  paused: 'The channel is paused.',
  secrets_lost: 'The channel’s passwords must be entered again.',
  internal: 'Something went wrong in the hub. Its log says what.',
  interrupted: 'The hub stopped while the message was being sent. It may have arrived.',
  channel_deleted: 'The channel was deleted.',
  queue_full: 'Too many messages are waiting for this channel.',
  no_browser: 'No browser has subscribed to this hub yet.',
  key_lost: 'The key of the channel’s passwords is lost: enter them again.',
  some_of: 'Not delivered: {{failed}} of {{total}}.',
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
