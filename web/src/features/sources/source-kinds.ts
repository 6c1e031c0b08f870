import type { components } from '../../api/schema';

/** A kind of program from which the hub imports birds. */
export type SourceKind = components['schemas']['Source']['kind'];

/** Fields in the form of a kind; strings are placeholders. */
export interface KindFields {
  readonly url?: { readonly placeholder: string; readonly isRequired: boolean };
  /** Set if a user name and a password are supported. */
  readonly login?: { readonly username: string };
  /** A file or folder on the machine of the hub. */
  readonly path?: { readonly placeholder: string };
  /** Set if its times have no zone. */
  readonly timezone?: true;
  /** Default MQTT topic. */
  readonly mqttTopic?: string;
  /** Default labels of what to import. */
  readonly labels?: readonly string[];
  /** Labels that the form suggests. */
  readonly suggestedLabels?: readonly string[];
  /** Set if corrected names can be written back. */
  readonly writeBack?: true;
}

/** Each kind with the fields of its form; live kinds come first. */
export const sourceKinds: Readonly<Record<SourceKind, KindFields & { readonly isHistory?: true }>> = {
  frigate: {
    url: { placeholder: 'http://192.168.1.20:5000', isRequired: true },
    login: { username: 'admin' },
    mqttTopic: 'frigate',
    labels: ['bird'],
    suggestedLabels: ['bird', 'cat', 'dog', 'squirrel', 'fox', 'deer'],
    writeBack: true,
  },
  'birdnet-go': {
    url: { placeholder: 'http://192.168.1.21:8080', isRequired: true },
    login: { username: 'birdnet-client' },
    mqttTopic: 'birdnet',
    labels: ['bird'],
    suggestedLabels: ['bird', 'bat', 'unlikely'],
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

/** Kinds that deliver birds live. */
export const liveKinds = kinds.filter((kind) => !sourceKinds[kind].isHistory);

/** Kinds whose history is imported. */
export const historyKinds = kinds.filter((kind) => sourceKinds[kind].isHistory);

export const isSourceKind = (value: unknown): value is SourceKind => kinds.some((kind) => kind === value);
