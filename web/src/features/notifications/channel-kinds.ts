import type { components } from '../../api/schema';

/** A channel as returned by the hub. */
export type Channel = components['schemas']['NotificationChannel'];

/** A kind of channel. */
export type ChannelKind = Channel['kind'];

/** How a field is entered. */
type FieldType = 'text' | 'url' | 'secret' | 'lines' | 'number' | 'switch' | 'list' | 'choice';

/** A field of the form of a kind. */
export interface ChannelField {
  readonly name: string;
  readonly type: FieldType;
  readonly isSecret?: boolean;
  readonly isRequired?: boolean;
  readonly isFolded?: boolean;
  readonly placeholder?: string;
  readonly first?: string | number | boolean | readonly string[];
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

const text = (name: string, more: Partial<ChannelField> = {}): ChannelField => ({
  name,
  type: 'text',
  first: '',
  ...more,
});
const secret = (name: string, more: Partial<ChannelField> = {}): ChannelField => ({
  name,
  type: 'secret',
  isSecret: true,
  ...more,
});
const picture: ChannelField = { name: 'picture', type: 'switch', first: true };
const required = { isRequired: true };
const folded = { isFolded: true };

/** The fields of each kind, in the order of the form. */
export const channelFields: Readonly<Record<ChannelKind, readonly ChannelField[]>> = {
  web_push: [],
  ntfy: [
    text('topic', { ...required, placeholder: 'birds-8f3k2' }),
    picture,
    text('url', { type: 'url', first: 'https://ntfy.sh', ...required }),
    secret('token', folded),
    text('username', folded),
    secret('password', folded),
    { name: 'priority', type: 'number', first: 3, min: 1, max: 5, ...folded },
    { name: 'tags', type: 'list', first: ['bird'], ...folded },
  ],
  telegram: [
    secret('bot_token', { ...required, placeholder: '123456:AA…' }),
    text('chat_id', { ...required, placeholder: '-1001234567890' }),
    picture,
    { name: 'clip', type: 'switch', first: true },
    { name: 'silent', type: 'switch', first: false, ...folded },
    { name: 'thread_id', type: 'number', min: 1, ...folded },
  ],
  email: [
    text('host', { ...required, placeholder: 'smtp.example.org' }),
    { name: 'security', type: 'choice', first: 'starttls', choices: ['starttls', 'tls', 'none'] },
    { name: 'port', type: 'number', first: 587, min: 1, max: 65_535, ...required },
    text('username'),
    secret('password'),
    text('from', { ...required, placeholder: 'birds@example.org' }),
    { name: 'to', type: 'list', first: [], ...required, placeholder: 'me@example.org' },
    picture,
    { name: 'allow_untrusted', type: 'switch', first: false, ...folded },
  ],
  discord: [
    secret('url', { ...required, placeholder: 'https://discord.com/api/webhooks/…' }),
    picture,
    text('username', folded),
  ],
  mqtt: [
    text('topic', { first: 'birdhub/notifications', ...required }),
    picture,
    { name: 'retain', type: 'switch', first: false },
    text('broker', { ...folded, placeholder: 'mqtt://192.168.1.5:1883' }),
    text('username', folded),
    secret('password', folded),
  ],
  webhook: [
    text('url', { type: 'url', ...required, placeholder: 'https://example.org/hook' }),
    secret('secret'),
  ],
  apprise: [
    text('url', { type: 'url', ...required, placeholder: 'http://192.168.1.5:8000' }),
    text('key'),
    text('apprise_tag'),
    secret('urls', { type: 'lines' }),
    picture,
  ],
};

/** The kinds that can be added, most popular first. */
export const channelKinds = Object.keys(channelFields) as ChannelKind[];

/** Values of the form. */
export interface ChannelDraft {
  readonly name: string;
  readonly options: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Secrets that were typed. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Stored secrets that are to be removed. */
  readonly removed: readonly string[];
}

type Options = Record<string, string | number | boolean | readonly string[]>;

/** Returns the form of a new channel, or of a stored one. */
export function channelDraft(kind: ChannelKind, name: string, stored?: Channel): ChannelDraft {
  const own: Readonly<Record<string, unknown>> = stored?.options ?? {};
  const options: Options = {};
  for (const { name: field, first, isSecret } of channelFields[kind]) {
    if (isSecret) continue;
    const value = (own[field] ?? first) as Options[string] | undefined;
    if (value !== undefined) options[field] = value;
  }
  return { name: stored?.name ?? name, options, secrets: {}, removed: [] };
}

/** Returns the body of a request; an empty number resets the option. */
export function channelChange(kind: ChannelKind, draft: ChannelDraft) {
  const options: Record<string, Options[string] | null> = {};
  for (const { name, type, isSecret } of channelFields[kind]) {
    if (isSecret) continue;
    const value = draft.options[name];
    if (value === undefined || (type === 'number' && value === '')) options[name] = null;
    else options[name] = typeof value === 'string' ? value.trim() : value;
  }
  const typed = Object.entries(draft.secrets).filter(([, value]) => value.trim() !== '');
  const secrets: Record<string, string | null> = {
    ...Object.fromEntries(draft.removed.map((name) => [name, null])),
    ...Object.fromEntries(typed.map(([name, value]) => [name, value.trim()])),
  };
  return { options, secrets };
}

/** Returns the names of required fields that are empty. */
export function missingChannelFields(kind: ChannelKind, draft: ChannelDraft, stored?: Channel): string[] {
  const isEmpty = ({ name, isSecret, isRequired }: ChannelField) => {
    if (!isRequired) return false;
    if (isSecret) {
      const isKept = stored?.secrets.includes(name) === true && !draft.removed.includes(name);
      return !draft.secrets[name]?.trim() && !isKept;
    }
    const value = draft.options[name];
    return value === undefined || (Array.isArray(value) ? value.length === 0 : String(value).trim() === '');
  };
  const fields = channelFields[kind].filter(isEmpty).map(({ name }) => name);
  return draft.name.trim() === '' ? ['name', ...fields] : fields;
}
