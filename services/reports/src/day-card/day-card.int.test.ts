import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { posterFile } from '@birdhub/domain/media';
import { createShare } from '@birdhub/domain/shares';
import { dayWindow } from '@birdhub/shared/time';
import { aRecording } from '@birdhub/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { pictureSlots } from './lay-out-card.js';

const day = '2026-05-01';
const startedAt = Date.UTC(2026, 4, 1, 8, 15);

/** Whether a card in landscape shows the red poster. */
async function showsPoster({ rawPayload }: { readonly rawPayload: Buffer }): Promise<boolean> {
  const area = { left: 900, top: 200, width: 1, height: 1 };
  const [red = 0, green = 0] = await sharp(rawPayload).removeAlpha().extract(area).raw().toBuffer();
  return red > 2 * green;
}

describe('the card of a day', () => {
  let reports: TestReports;

  const get = (url: string, headers = {}) => reports.app.inject({ method: 'GET', url, headers });
  const share = async (expiresAt: Date) => {
    const deps = { transaction: reports.database.transaction, now: startedAt };
    const subject = { day, window: dayWindow('UTC', day) };
    const author = { role: 'contributor', token: undefined };
    return createShare(deps, { subject, language: 'ru', expiresAt, author });
  };

  const makePoster = async (videoId: number) => {
    const poster = posterFile(reports.dataDir, videoId);
    await mkdir(dirname(poster), { recursive: true });
    const picture = { create: { width: 320, height: 180, channels: 3 as const, background: '#a33' } };
    await writeFile(poster, await sharp(picture).jpeg().toBuffer());
  };

  beforeAll(async () => {
    reports = await createTestReports();
    await reports.setSettings({ general: { timezone: 'UTC' } });
    const { videoId } = await reports.writer.post(aRecording({ start: startedAt }), 'test');
    await makePoster(videoId);
  });
  afterAll(() => reports.close());

  it.each([
    ['landscape', 1200, 630],
    ['portrait', 1080, 1350],
  ])(
    'in %s, is a PNG of %d × %d pixels below the size limits of link previews',
    async (shape, width, height) => {
      const { statusCode, headers, rawPayload } = await get(
        `/api/ui/day-card?date=${day}&shape=${shape}&language=de`,
      );
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width, height });
      expect(rawPayload.length).toBeLessThan(600_000);
    },
  );

  it('with a picture, shows it', async () => {
    expect(await showsPoster(await get(`/api/ui/day-card?date=${day}`))).toBe(true);
  });

  it('drawn before its picture was made, shows the picture as soon as it is there', async () => {
    const start = Date.UTC(2026, 4, 3, 8, 15);
    const { videoId } = await reports.writer.post(aRecording({ start }), 'test');
    const before = await get('/api/ui/day-card?date=2026-05-03');
    await makePoster(videoId);
    const after = await get('/api/ui/day-card?date=2026-05-03');
    expect(await Promise.all([before, after].map(showsPoster))).toEqual([false, true]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('when the settings protect recordings, shows whole frames only to unlocked callers and in shared links', async () => {
    const { token } = await share(new Date(Date.UTC(2026, 5, 2)));
    const cardFor = (caller: string) => get(`/api/ui/day-card?date=${day}`, { 'x-hub-caller': caller });
    const open = await cardFor('viewer');
    await reports.setSettings({ general: { timezone: 'UTC', require_auth_for_video_stream: true } });
    const unlocked = await cardFor('contributor');
    const locked = await cardFor('viewer');
    const unmodified = await get(`/api/ui/day-card?date=${day}`, {
      'x-hub-caller': 'viewer',
      'if-none-match': unlocked.headers.etag,
    });
    const shared = await get(`/s/${token}/card.png`);
    await reports.setSettings({ general: { timezone: 'UTC' } });
    const shown = await Promise.all([open, unlocked, locked, shared].map(showsPoster));
    expect(shown).toEqual([true, true, false, true]);
    expect(unmodified.statusCode).toBe(200);
  });

  it('without a language of the client, is in that of the hub', async () => {
    await reports.setSettings({ general: { timezone: 'UTC', language: 'de' } });
    const [ofHub, ofClient, german, english] = await Promise.all([
      get(`/api/ui/day-card?date=${day}`),
      get(`/api/ui/day-card?date=${day}`, { 'accept-language': 'en-GB' }),
      get(`/api/ui/day-card?date=${day}&language=de`),
      get(`/api/ui/day-card?date=${day}&language=en`),
    ]);
    await reports.setSettings({ general: { timezone: 'UTC' } });
    expect(ofHub.rawPayload.equals(german.rawPayload)).toBe(true);
    expect(ofClient.rawPayload.equals(english.rawPayload)).toBe(true);
    expect(german.rawPayload.equals(english.rawPayload)).toBe(false);
  });

  it('of a shared link, is in the language asked for, or else in that of the link', async () => {
    const { token } = await share(new Date(Date.UTC(2026, 5, 2)));
    const ofLink = await get(`/s/${token}/card.png`, { 'accept-language': 'de' });
    const german = await get(`/s/${token}/card.png?language=de`);
    const [russian, asGerman] = await Promise.all(
      ['ru', 'de'].map((language) => get(`/api/ui/day-card?date=${day}&language=${language}`)),
    );
    expect(ofLink.rawPayload.equals(russian?.rawPayload ?? Buffer.of())).toBe(true);
    expect(german.rawPayload.equals(asGerman?.rawPayload ?? Buffer.of())).toBe(true);
  });

  it('with a matching If-None-Match, is 304', async () => {
    const { headers } = await get(`/api/ui/day-card?date=${day}`);
    const again = await get(`/api/ui/day-card?date=${day}`, { 'if-none-match': headers.etag });
    expect(again.statusCode).toBe(304);
  });

  it('of a day without birds, is 404, and of an invalid day 400', async () => {
    expect((await get('/api/ui/day-card?date=2020-01-01')).json().code).toBe('nothing_on_day');
    expect((await get('/api/ui/day-card?date=2026-02-30')).json().details[0].path).toBe('date');
  });

  it('of a shared link, is shown until it expires, and never for another day', async () => {
    const valid = await share(new Date(Date.UTC(2026, 5, 2)));
    const expired = await share(new Date(Date.UTC(2026, 5, 1)));
    const shown = await get(`/s/${valid.token}/card.png?date=2026-01-01`);
    expect([shown.statusCode, shown.headers['x-robots-tag']]).toEqual([200, 'noindex, nofollow, noarchive']);
    expect((await get(`/s/${expired.token}/card.png`)).json().code).toBe('share_not_found');
    expect((await get(`/s/${'A'.repeat(43)}/card.png`)).statusCode).toBe(404);
  });
});

describe('places of the pictures', () => {
  it.each([1, 2, 3, 4])('%d, fill the area without overlapping', (count) => {
    for (const area of [
      { left: 560, top: 0, width: 640, height: 630 },
      { left: 0, top: 0, width: 1080, height: 690 },
    ]) {
      const slots = pictureSlots(area, count);
      expect(slots).toHaveLength(count);
      for (const { left, top, width, height } of slots) {
        expect(left).toBeGreaterThanOrEqual(area.left);
        expect(top).toBeGreaterThanOrEqual(area.top);
        expect(left + width).toBeLessThanOrEqual(area.left + area.width);
        expect(top + height).toBeLessThanOrEqual(area.top + area.height);
      }
    }
  });
});
