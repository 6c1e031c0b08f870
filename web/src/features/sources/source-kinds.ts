import type { components } from '../../api/schema';

/** A program that birds are read from. */
export type SourceKind = components['schemas']['Source']['kind'];

/** What the form of a kind asks for; texts are placeholders. */
export interface KindFields {
  readonly url?: { readonly placeholder: string; readonly isRequired: boolean };
  /** Whether it may have a user name and a password. */
  readonly login?: { readonly username: string };
  /** A file or folder on the machine of the hub. */
  readonly path?: { readonly placeholder: string };
  /** Whether its times have no zone. */
  readonly timezone?: true;
  /** Topic that its messages are expected on when none is given. */
  readonly mqttTopic?: string;
  /** Objects that are taken when none are given. */
  readonly labels?: readonly string[];
  /** Whether corrected names can be written back. */
  readonly writeBack?: true;
}

/** Each kind with what its form asks for; those that are followed live come first. */
export const sourceKinds: Readonly<Record<SourceKind, KindFields & { readonly isHistory?: true }>> = {
  frigate: {
    url: { placeholder: 'http://192.168.1.20:5000', isRequired: true },
    login: { username: 'admin' },
    mqttTopic: 'frigate',
    labels: ['bird'],
    writeBack: true,
  },
  'birdnet-go': {
    url: { placeholder: 'http://192.168.1.21:8080', isRequired: true },
    login: { username: '' },
    mqttTopic: 'birdnet',
  },
  'birdnet-pi': {
    path: { placeholder: '/mnt/birdnet-pi/scripts/birds.db' },
    url: { placeholder: 'http://birdnetpi.local', isRequired: false },
    login: { username: 'birdnet' },
    timezone: true,
  },
  'ya-wamf': {
    isHistory: true,
    url: { placeholder: 'http://192.168.1.22:9852', isRequired: true },
    login: { username: 'admin' },
  },
  whosatmyfeeder: {
    isHistory: true,
    path: { placeholder: '/mnt/whosatmyfeeder/speciesid.db' },
    url: { placeholder: 'http://192.168.1.20:5000', isRequired: false },
    timezone: true,
  },
};

const kinds = Object.keys(sourceKinds) as SourceKind[];

/** Kinds whose birds arrive as they are seen or heard. */
export const liveKinds = kinds.filter((kind) => !sourceKinds[kind].isHistory);

/** Kinds that are read for what they recorded. */
export const historyKinds = kinds.filter((kind) => sourceKinds[kind].isHistory);

export const isSourceKind = (value: unknown): value is SourceKind => kinds.some((kind) => kind === value);
