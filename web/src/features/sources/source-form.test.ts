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

const createSource = (given: Partial<Source> = {}, options: Partial<Source['options']> = {}): Source => ({
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
    camera_prefix: null,
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

describe('toAddress', () => {
  test.each([
    ['', ''],
    ['  ', ''],
    ['frigate.local:5000', 'http://frigate.local:5000'],
    [' http://frigate.local ', 'http://frigate.local'],
    ['https://frigate.local', 'https://frigate.local'],
  ])('with “%s”, returns “%s”', (text, address) => {
    expect(toAddress(text)).toBe(address);
  });

  test('for a broker, adds the scheme of MQTT', () => {
    expect(toAddress('192.168.1.5:1883', 'mqtt')).toBe('mqtt://192.168.1.5:1883');
  });
});

describe('the form of a new source', () => {
  test('when filled in, sends only the fields that its kind has', () => {
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
      options: {
        labels: ['bird'],
        min_confidence: 0.6,
        write_back: false,
        cameras: { birdcam: 'garden', feeder: 'feeder' },
      },
    });
  });

  test('for BirdNET-Go, sends the labels beside birds', () => {
    const draft = { ...emptyDraft('birdnet-go', 'Balcony', zone), url: 'birdnet:8080' };
    expect(draft.labels).toEqual(['bird']);
    expect(toNewSource('birdnet-go', { ...draft, labels: ['bird', 'bat'] })).toEqual({
      kind: 'birdnet-go',
      name: 'Balcony',
      url: 'http://birdnet:8080',
      options: { labels: ['bird', 'bat'], cameras: {} },
    });
  });

  test('for BirdNET-Pi, sends the zone of its clock', () => {
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
  ] as const)('of %s, when empty, requires %j', (kind, missing) => {
    expect(missingFields(kind, emptyDraft(kind, 'Name', zone))).toEqual(missing);
  });

  test('with only spaces in name and zone, requires both', () => {
    const draft = { ...emptyDraft('birdnet-pi', ' ', ' '), path: '/x' };
    expect(missingFields('birdnet-pi', draft)).toEqual(['name', 'timezone']);
  });

  test('for every kind of source, exists', () => {
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
  test('without changes, sends nothing', () => {
    expect(toChange(createSource(), draftOf(createSource(), zone), zone)).toEqual({});
  });

  test('with changes, sends only those, and null for emptied fields', () => {
    const draft = {
      ...draftOf(createSource(), zone),
      username: '',
      mqtt_url: '',
      min_confidence: undefined,
      labels: [],
      cameras: {},
    };
    expect(toChange(createSource(), draft, zone)).toEqual({
      username: null,
      options: { mqtt_url: null, min_confidence: null, labels: null, cameras: {} },
    });
  });

  test('with its password kept, replaced or removed, sends nothing, the new one or null', () => {
    const draft = draftOf(createSource(), zone);
    expect(draft.password).toBeUndefined();
    expect(toChange(createSource(), { ...draft, password: 'new' }, zone)).toEqual({ password: 'new' });
    expect(toChange(createSource(), { ...draft, password: '' }, zone)).toEqual({ password: null });
  });

  test('when tested, sends its id, and the broker only if it was entered again', () => {
    const draft = draftOf(createSource(), zone);
    const request = toTest('frigate', draft, createSource(), zone);
    expect(request).toMatchObject({ id: 3, url: 'http://192.168.1.20:5000', username: 'admin' });
    expect(request).not.toHaveProperty('password');
    expect(request.options).not.toHaveProperty('mqtt_url');
    const other = toTest('frigate', { ...draft, mqtt_url: 'mqtt://other' }, createSource(), zone);
    expect(other.options?.mqtt_url).toBe('mqtt://other');
    expect(toTest('frigate', { ...draft, password: '' }, createSource(), zone)).toHaveProperty(
      'password',
      null,
    );
  });

  test.each([
    ['http://192.168.1.20:5000/', false],
    ['192.168.1.20:5000/base', false],
    ['http://192.168.1.21:5000', true],
    ['http://192.168.1.20:8971', true],
    ['http://', true],
  ])('with the address %s, needs its password again: %s', (url, isLost) => {
    expect(isPasswordLost(createSource(), { ...draftOf(createSource(), zone), url })).toBe(isLost);
  });

  test('with another address and a new password or none stored, needs no other', () => {
    const draft = { ...draftOf(createSource(), zone), url: 'http://other', password: 'new' };
    expect(isPasswordLost(createSource(), draft)).toBe(false);
    expect(isPasswordLost(createSource({ has_password: false }), { ...draft, password: undefined })).toBe(
      false,
    );
  });
});

describe('refusalsOf', () => {
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

  test('with details of fields, returns their messages by field', () => {
    expect(refusalsOf(problem)).toEqual({
      url: 'is no address',
      timezone: 'is no zone',
      cameras: 'is too long',
    });
  });

  test.each([null, new Error('other')])('with %s, returns none', (error) => {
    expect(refusalsOf(error)).toEqual({});
  });
});
