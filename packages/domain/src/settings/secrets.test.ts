import { describe, expect, it } from 'vitest';
import { mapSecrets, maskSecrets } from './secrets.js';

describe('maskSecrets', () => {
  it.each([
    { mqtt: { password: 'x' } },
    { general: { settings_password: 'x', contributor_password: 'x' } },
    { webhook: { secret: 'x' } },
    { web_push: { vapid_private_key: 'x' } },
    { secrets: { ebird_api_key: 'x', anything: 'x', deep: { list: ['x', 'x'] } } },
    { processor: { rtsp: { streams: [{ Password: 'x' }, { password: 'x' }] } } },
    {
      integrations: { apiKey: 'x', 'API-KEY': 'x', my_secret_thing: 'x', PRIVATE_KEY: 'x', privateKey: 'x' },
    },
    { camera: { token: { value: 'x', inner: { more: 'x' } }, tokens: ['x', 'x'] } },
  ])('secrets of any name and depth, %j, are masked', (settings) => {
    const masked = JSON.stringify(maskSecrets(settings));
    expect(masked).toBe(JSON.stringify(settings).replaceAll('"x"', '"***"'));
  });

  it('numbers, are secret under a secret name, but not as a count under a plural name', () => {
    const settings = {
      ai: { pin_secret: 7, max_tokens: 512, tokens_per_minute: 3 },
      secrets: { pin: 1, max_tokens: 2 },
    };
    expect(maskSecrets(settings)).toEqual({
      ai: { pin_secret: '***', max_tokens: 512, tokens_per_minute: 3 },
      secrets: { pin: '***', max_tokens: '***' },
    });
  });

  it.each([
    { secrets: { latitude: '50.1', longitude: '14.4', zip: '11000' } },
    { mqtt: { password: '', use_token: true, token: null }, secrets: { a: '', b: false } },
    { web_push: { vapid_public_key: 'x' }, general: { app_name: 'x', timezone: 'x' } },
    { processor: { keypoint: 'x', apical: 'x', key: 'x', passive: 'x' } },
  ])('values that are not secret or empty, %j, are shown', (settings) => {
    expect(maskSecrets(settings)).toEqual(settings);
  });

  it.each([
    ['http://me:secret@cam:8080/mjpeg?x=1', 'http://me:***@cam:8080/mjpeg?x=1'],
    ['rtsp://me:se@cret@cam/1', 'rtsp://me:***@cam/1'],
    ['http://:secret@cam', 'http://:***@cam'],
    ['me:secret@cam', 'me:***@cam'],
    ['http://me@cam/video@2x', 'http://me@cam/video@2x'],
    ['http://cam:8080/video@2x', 'http://cam:8080/video@2x'],
    ['cam:1883', 'cam:1883'],
    ['', ''],
  ])('the address %s, is shown as %s', (url, shown) => {
    const withUrl = (address: string) => ({
      mqtt: { broker: address },
      feed: { esphome_url: address },
      video: { cameras: [{ id: 'a', stream_url: address }, null, 'x'] },
    });
    expect(maskSecrets(withUrl(url))).toEqual(withUrl(shown));
  });

  it('latitude in a nested group of secrets, is masked', () => {
    expect(maskSecrets({ secrets: { home: { latitude: '1' } } })).toEqual({
      secrets: { home: { latitude: '***' } },
    });
  });
});

describe('mapSecrets', () => {
  it('each secret, is passed with its path, and the input is not mutated', () => {
    const settings = Object.freeze({ a: Object.freeze([{ token: 'x' }]) });
    const places: string[] = [];
    mapSecrets(settings, (secret, path) => places.push(`${path.join('/')} ${secret}`));
    expect(places).toEqual(['a/0/token x']);
    expect(settings).toEqual({ a: [{ token: 'x' }] });
  });

  it('a key named __proto__, stays a key', () => {
    const settings = JSON.parse('{"a": {"__proto__": {"token": "x"}}}');
    const masked = maskSecrets(settings);
    expect(JSON.stringify(masked)).toBe('{"a":{"__proto__":{"token":"***"}}}');
    expect(Object.getPrototypeOf(masked.a)).toBe(Object.prototype);
  });
});
