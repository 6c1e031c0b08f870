import { describe, expect, test } from 'vitest';
import { Problem } from '../../api/problem';
import {
  draftOf,
  emptyDraft,
  isPasswordLost,
  missingFields,
  refusalsOf,
  type Source,
  toAddress,
  toChange,
  toNewSource,
  toTest,
} from './source-form';
import { historyKinds, liveKinds } from './source-kinds';

const zone = 'Europe/Berlin';

const aSource = (given: Partial<Source> = {}, options: Partial<Source['options']> = {}): Source => ({
  id: 3,
  kind: 'frigate',
  name: 'Frigate',
  url: 'http://192.168.1.20:5000',
  username: 'admin',
  has_password: true,
  path: null,
  options: {
    mqtt_url: 'mqtt://birdhub:***@192.168.1.5:1883',
    mqtt_topic_prefix: null,
    cameras: { birdcam: 'garden' },
    labels: null,
    min_confidence: 0.55,
    timezone: null,
    write_back: false,
    ...options,
  },
  enabled: true,
  state: 'live',
  message: null,
  sentences: [],
  last_contact_at: null,
  last_event_at: null,
  behind_seconds: 0,
  media_waiting: 0,
  cameras: [],
  created_at: '2026-05-01T08:00:00Z',
  ...given,
});

describe('an address', () => {
  test.each([
    ['', ''],
    ['  ', ''],
    ['frigate.local:5000', 'http://frigate.local:5000'],
    [' http://frigate.local ', 'http://frigate.local'],
    ['https://frigate.local', 'https://frigate.local'],
  ])('written as “%s”, becomes “%s”', (text, address) => {
    expect(toAddress(text)).toBe(address);
  });

  test('of a broker, gets its own scheme', () => {
    expect(toAddress('192.168.1.5:1883', 'mqtt')).toBe('mqtt://192.168.1.5:1883');
  });
});

describe('the form of a new source', () => {
  test('sends what is filled in, and nothing that its kind does not have', () => {
    const draft = {
      ...emptyDraft('frigate', ' Pond ', zone),
      url: 'frigate:5000',
      path: '/somewhere',
      min_confidence: 60,
      cameras: { birdcam: ' garden ', pond: '', feeder: 'feeder' },
    };
    expect(toNewSource('frigate', draft)).toEqual({
      kind: 'frigate',
      name: 'Pond',
      url: 'http://frigate:5000',
      options: { labels: ['bird'], min_confidence: 0.6, write_back: false, cameras: { birdcam: 'garden' } },
    });
  });

  test('of BirdNET-Pi, sends the zone of its clock', () => {
    const draft = { ...emptyDraft('birdnet-pi', 'Balcony', zone), path: '/mnt/birds.db' };
    expect(toNewSource('birdnet-pi', draft)).toEqual({
      kind: 'birdnet-pi',
      name: 'Balcony',
      path: '/mnt/birds.db',
      options: { timezone: zone, cameras: {} },
    });
  });

  test.each([
    ['frigate', ['url']],
    ['birdnet-go', ['url']],
    ['birdnet-pi', ['path']],
    ['ya-wamf', ['url']],
    ['whosatmyfeeder', ['path']],
  ] as const)('of %s, when empty, lacks %j', (kind, missing) => {
    expect(missingFields(kind, emptyDraft(kind, 'Name', zone))).toEqual(missing);
  });

  test('without a name or with spaces alone, lacks it', () => {
    const draft = { ...emptyDraft('birdnet-pi', ' ', ' '), path: '/x' };
    expect(missingFields('birdnet-pi', draft)).toEqual(['name', 'timezone']);
  });

  test('there is one for every kind', () => {
    expect([...liveKinds, ...historyKinds].sort()).toEqual([
      'birdnet-go',
      'birdnet-pi',
      'frigate',
      'whosatmyfeeder',
      'ya-wamf',
    ]);
  });
});

describe('the form of a stored source', () => {
  test('unchanged, changes nothing', () => {
    expect(toChange(aSource(), draftOf(aSource(), zone), zone)).toEqual({});
  });

  test('sends only what was changed, and null for what was emptied', () => {
    const draft = {
      ...draftOf(aSource(), zone),
      username: '',
      mqtt_url: '',
      min_confidence: undefined,
      labels: [],
      cameras: {},
    };
    expect(toChange(aSource(), draft, zone)).toEqual({
      username: null,
      options: { mqtt_url: null, min_confidence: null, labels: null, cameras: {} },
    });
  });

  test('keeps the stored password unless another is entered or it is removed', () => {
    const draft = draftOf(aSource(), zone);
    expect(draft.password).toBeUndefined();
    expect(toChange(aSource(), { ...draft, password: 'new' }, zone)).toEqual({ password: 'new' });
    expect(toChange(aSource(), { ...draft, password: '' }, zone)).toEqual({ password: null });
  });

  test('is tested with its id, and without the broker whose password is not shown', () => {
    const draft = draftOf(aSource(), zone);
    const asked = toTest('frigate', draft, aSource(), zone);
    expect(asked).toMatchObject({ id: 3, url: 'http://192.168.1.20:5000', username: 'admin' });
    expect(asked).not.toHaveProperty('password');
    expect(asked.options).not.toHaveProperty('mqtt_url');
    const other = toTest('frigate', { ...draft, mqtt_url: 'mqtt://other' }, aSource(), zone);
    expect(other.options?.mqtt_url).toBe('mqtt://other');
    expect(toTest('frigate', { ...draft, password: '' }, aSource(), zone)).toHaveProperty('password', null);
  });

  test.each([
    ['http://192.168.1.20:5000/', false],
    ['192.168.1.20:5000/base', false],
    ['http://192.168.1.21:5000', true],
    ['http://192.168.1.20:8971', true],
    ['http://', true],
  ])('with the address %s, needs its password again: %s', (url, isLost) => {
    expect(isPasswordLost(aSource(), { ...draftOf(aSource(), zone), url })).toBe(isLost);
  });

  test('with another address and a password that was entered again, needs none', () => {
    const draft = { ...draftOf(aSource(), zone), url: 'http://other', password: 'new' };
    expect(isPasswordLost(aSource(), draft)).toBe(false);
    expect(isPasswordLost(aSource({ has_password: false }), { ...draft, password: undefined })).toBe(false);
  });
});

describe('what the hub refuses', () => {
  const problem = new Problem(400, {
    code: 'validation',
    error: 'Invalid',
    details: [
      { path: '/url', message: 'is no address' },
      { path: '/options/timezone', message: 'is no zone' },
      { path: '/options/cameras/birdcam', message: 'is too long' },
      { path: '/elsewhere', message: 'is unknown' },
    ],
  });

  test('is said at its field', () => {
    expect(refusalsOf(problem)).toEqual({
      url: 'is no address',
      timezone: 'is no zone',
      cameras: 'is too long',
    });
  });

  test.each([null, new Error('other')])('of %s, is said at none', (error) => {
    expect(refusalsOf(error)).toEqual({});
  });
});
