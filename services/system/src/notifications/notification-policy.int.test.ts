import { setTimeout as pause } from 'node:timers/promises';
import { aDetection } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestNotifications, type TestNotifications } from '../testing/create-test-notifications.js';
import { readVapid } from '../testing/test-browser.js';

const noon = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;

describe('notifications', () => {
  let hub: TestNotifications;
  beforeEach(async () => {
    hub = await createTestNotifications(noon);
  });
  afterEach(() => hub.close());

  const arrive = (count: number) =>
    vi.waitFor(() => expect(hub.stub.requests).toHaveLength(count), { interval: 10 });
  const settle = (state: string, count = 1) =>
    vi.waitFor(
      async () => expect((await hub.deliveries()).filter((row) => row.state === state)).toHaveLength(count),
      { interval: 20 },
    );
  /** Waits until a message was tried once and will be retried. */
  const isTriedOnce = () =>
    vi.waitFor(
      async () => expect(await hub.deliveries()).toMatchObject([{ state: 'pending', attempts: 1 }]),
      { interval: 20 },
    );
  /** Waits long enough for a message that must not be sent. */
  const nothingMore = async (count: number) => {
    await pause(300);
    expect(hub.stub.requests).toHaveLength(count);
    expect(await hub.deliveries()).toHaveLength(count);
  };
  const robin = (start: number) => ({ start, detections: [aDetection({ speciesName: 'Robin' })] });

  it('of a starting visit, reach a subscribed browser, signed by the hub', async () => {
    const browser = await hub.subscribe('a');
    hub.open();
    const { videoId, visitIds } = await hub.post();
    await settle('sent');
    const [request] = hub.stub.requests;
    if (!request) throw new Error('nothing came');
    expect(browser.read(request)).toEqual({
      title: 'Great Tit',
      body: 'Here since 11:59 · Birdhub',
      tag: `birdhub-visit-${visitIds[0]}`,
      url: `/videos/${videoId}`,
      visit_id: visitIds[0],
    });
    const { rows } = await hub.database.pool.query(
      `SELECT value #>> '{web_push,vapid_public_key}' AS key FROM setting WHERE key = 'hub'`,
    );
    expect(readVapid(request, rows[0].key)).toMatchObject({ aud: hub.stub.url });
    expect(request.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '890' });
    const subscriptions = await hub.database.pool.query('SELECT last_ok_at, failures FROM push_subscription');
    expect(subscriptions.rows).toEqual([{ last_ok_at: expect.any(Date), failures: 0 }]);
  });

  it('of a visit of the demo, are neither sent nor logged, and later ones of real birds are sent', async () => {
    const browser = await hub.subscribe('a');
    hub.open();
    await hub.postDemo();
    await hub.post(robin(noon - 5_000));
    await settle('sent');
    await nothingMore(1);
    expect(hub.stub.requests.map(browser.read)).toMatchObject([{ title: 'Robin' }]);
    const logged = await hub.database.pool.query('SELECT title FROM alert_log');
    expect(logged.rows).toMatchObject([{ title: 'Robin' }]);
  });

  it('of the first own visit of a species that the demo showed before, are sent by a rule for first visits', async () => {
    const browser = await hub.subscribe('a');
    await hub.setRules([{ when: 'first_ever', name: 'New' }]);
    hub.open();
    await hub.postDemo(robin(noon - 3_600_000));
    await hub.post(robin(noon - 5_000));
    await settle('sent');
    expect(hub.stub.requests.map(browser.read)).toMatchObject([{ title: expect.stringContaining('Robin') }]);
  });

  it('with an address of the hub and pictures, contain them', async () => {
    const browser = await hub.subscribe('a');
    await hub.set({ notifications: { base_url: 'https://hub.example/birds/' } });
    await hub.database.pool.query(
      `UPDATE species SET image_url = 'https://a.example/tit.jpg' WHERE name = 'Great Tit'`,
    );
    hub.open();
    await hub.notifyDetection({ link: 'https://evil.example/', image_path: 'recordings/a/crop.jpg' });
    await settle('sent');
    expect(hub.stub.requests.map(browser.read)).toEqual([
      expect.objectContaining({
        url: 'https://hub.example/birds/timeline',
        icon: 'https://a.example/tit.jpg',
        image: 'https://hub.example/birds/data/recordings/a/crop.jpg',
        visit_id: null,
      }),
    ]);
  });

  it.each(['/.//evil.example/x', '/%2e//evil.example/x', '//evil.example/x', '/\\evil.example/x'])(
    'of a notice with the foreign link %j, link to the timeline',
    async (link) => {
      const browser = await hub.subscribe('a');
      hub.open();
      await hub.notifyDetection({ link, image_path: link });
      await settle('sent');
      const [message] = hub.stub.requests.map(browser.read);
      expect(message).toMatchObject({ url: '/timeline' });
      expect(message).not.toHaveProperty('image');
    },
  );

  it('stored by an earlier version, link only to the hub', async () => {
    const browser = await hub.subscribe('a');
    const first = hub.open();
    await hub.notifyDetection();
    await settle('sent');
    await first.close();
    const stored = {
      url: '//evil.example/x',
      icon: '//evil.example/y.png',
      image: 'https://evil.example/z.png',
    };
    await hub.database.pool.query('UPDATE notification SET message = message || $1', [
      JSON.stringify(stored),
    ]);
    await hub.database.pool.query(`UPDATE push_delivery SET state = 'pending', attempts = 0`);
    hub.open();
    await arrive(2);
    const message = hub.stub.requests.map(browser.read).at(-1);
    expect(message).toMatchObject({ url: '/timeline' });
    expect(JSON.stringify(message)).not.toContain('evil');
  });

  it('of a notice and then its visit, are sent once whatever the cooldown', async () => {
    await hub.subscribe('a');
    await hub.set({ notifications: { cooldown_seconds: 0 } });
    hub.open();
    await hub.notifyDetection({ species_name: 'Parus major_Great Tit' });
    await settle('sent');
    hub.clock.advance(minute);
    await hub.post({ start: noon - 1_000 });
    await nothingMore(1);
    await hub.notifyDetection({ notified_at: new Date(noon + 2_000).toISOString() });
    await nothingMore(1);
    hub.clock.advance(5 * minute);
    await hub.post();
    await settle('sent', 2);
  });

  it('of a visit and then a notice of it, are sent once whatever the cooldown', async () => {
    await hub.subscribe('a');
    await hub.set({ notifications: { cooldown_seconds: 0 } });
    hub.open();
    await hub.post();
    await settle('sent');
    await hub.notifyDetection();
    await nothingMore(1);
  });

  it('of one species within the cooldown, are sent once, also after a restart, but of another at once', async () => {
    await hub.subscribe('a');
    const first = hub.open();
    await hub.post();
    await settle('sent');
    await first.close();
    hub.open();
    hub.clock.advance(4 * minute);
    await hub.post();
    await nothingMore(1);
    await hub.post(robin(hub.clock.now()));
    await settle('sent', 2);
    hub.clock.advance(minute + 1);
    await hub.notifyDetection();
    await settle('sent', 3);
  });

  it.each([
    ['notifications are off', { general: { enable_notifications: false } }],
    ['the species is left out', { general: { notification_excluded_species: ['great_tit'] } }],
    [
      'the species is left out by its other name',
      { general: { notification_excluded_species: ['Parus major'] } },
    ],
    ['hours are quiet', { notifications: { quiet_hours_start: '11:00', quiet_hours_end: '13:00' } }],
    [
      'hours are quiet over midnight',
      { notifications: { quiet_hours_start: '22:00', quiet_hours_end: '12:01' } },
    ],
    ['web push is off', { web_push: { enabled: false } }],
  ])('while %s, are not sent, nor later', async (_, groups: Record<string, object>) => {
    await hub.subscribe('a');
    await hub.set(groups);
    hub.open();
    await hub.post();
    await hub.notifyDetection();
    await nothingMore(0);
    hub.clock.advance(5 * minute);
    await nothingMore(0);
  });

  it('of long past events, are not sent', async () => {
    await hub.subscribe('a');
    hub.open();
    await hub.post({ start: noon - 16 * minute });
    await hub.notifyDetection({
      notified_at: new Date(noon - 16 * minute).toISOString(),
      species_name: 'Robin',
    });
    await nothingMore(0);
  });

  it('with two processes and duplicate events, are sent once', async () => {
    await Promise.all(['a', 'b', 'c'].map(hub.subscribe));
    hub.open();
    hub.open();
    await hub.post();
    await hub.publish(true);
    await settle('sent', 3);
    await nothingMore(3);
    expect(new Set(hub.stub.requests.map(({ path }) => path)).size).toBe(3);
  });

  it.each([404, 410])(
    'to a browser that is gone (%i), delete its subscription and reach the others',
    async (status) => {
      await Promise.all(['a', 'b'].map(hub.subscribe));
      hub.stub.respond(({ path }) => ({ status: path === '/a' ? status : 201 }));
      hub.open();
      await hub.post();
      await settle('sent');
      await settle('gone');
      const { rows } = await hub.database.pool.query('SELECT endpoint FROM push_subscription');
      expect(rows).toEqual([{ endpoint: `${hub.stub.url}/b` }]);
    },
  );

  it('to a push service that responds 429 with Retry-After, are delayed until then', async () => {
    await hub.subscribe('a');
    hub.stub.respond(() => ({ status: 429, headers: { 'retry-after': '7' } }));
    const first = hub.open();
    await hub.post();
    await isTriedOnce();
    await first.close();
    hub.stub.respond(() => ({ status: 201 }));
    hub.clock.advance(6_999);
    const second = hub.open();
    await nothingMore(1);
    await second.close();
    hub.clock.advance(1);
    hub.open();
    await settle('sent');
    expect(await hub.deliveries()).toMatchObject([{ attempts: 2, error: null }]);
  });

  it('to a push service that failed briefly, are sent soon after by the same process', async () => {
    await hub.subscribe('a');
    hub.stub.respond(() => {
      hub.stub.respond(() => ({ status: 201 }));
      return { status: 503, headers: { 'retry-after': '1' } };
    });
    hub.open();
    await hub.post();
    await isTriedOnce();
    hub.clock.advance(1_000);
    await settle('sent');
    expect(hub.stub.requests).toHaveLength(2);
  });

  it('to a push service that fails until they expire, are not sent', async () => {
    await hub.subscribe('a');
    hub.stub.respond(() => ({ status: 503, headers: { 'retry-after': '100' } }));
    const first = hub.open();
    await hub.post();
    await isTriedOnce();
    await first.close();
    hub.stub.respond(() => ({ status: 201 }));
    hub.clock.advance(15 * minute);
    hub.open();
    await settle('failed');
    expect(hub.stub.requests).toHaveLength(1);
  });

  it('of a hub killed before sending, are sent after its restart', async () => {
    await hub.subscribe('a');
    const first = hub.open();
    await hub.post();
    await settle('sent');
    await first.close();
    await hub.database.pool.query(`UPDATE push_delivery SET state = 'pending', attempts = 0`);
    hub.open();
    await arrive(2);
    await settle('sent');
  });

  it('of a hub killed while sending, are not sent twice', async () => {
    await hub.subscribe('a');
    const first = hub.open();
    await hub.post();
    await settle('sent');
    await first.close();
    await hub.database.pool.query(`UPDATE push_delivery SET state = 'sending', next_attempt_at = $1`, [
      new Date(noon + minute),
    ]);
    hub.clock.advance(minute);
    hub.open();
    await settle('failed');
    expect(hub.stub.requests).toHaveLength(1);
  });

  it('after a month, are deleted', async () => {
    await hub.subscribe('a');
    hub.open();
    await hub.post();
    await settle('sent');
    hub.clock.advance(31 * 24 * 60 * minute);
    await hub.post();
    await arrive(2);
    expect(await hub.deliveries()).toHaveLength(1);
  });
});
