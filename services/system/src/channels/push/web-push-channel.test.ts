import { describe, expect, it } from 'vitest';
import { subjectOf, toPayload } from './web-push-channel.js';

const message = {
  key: 'visit:1',
  title: 'Great Tit',
  body: 'Here since 12:00',
  tag: 'birdhub-visit-1',
  url: '/videos/2',
  visitId: 1,
  icon: null,
  image: null,
  noticeId: null,
};
const words = {
  title: 'Great Tit',
  body: 'Here since 12:00',
  tag: 'birdhub-visit-1',
  url: '/videos/2',
  visit_id: 1,
};

describe('payload of web push', () => {
  it('without pictures, has none', () => {
    expect(JSON.parse(toPayload(message))).toEqual(words);
  });

  it('with pictures, contains their URLs', () => {
    const pictures = { icon: '/a.jpg', image: '/b.jpg' };
    expect(JSON.parse(toPayload({ ...message, ...pictures }))).toEqual({ ...words, ...pictures });
  });

  it('when too long with pictures, is sent without them', () => {
    const image = `https://a.example/${'x'.repeat(3_900)}`;
    expect(JSON.parse(toPayload({ ...message, image }))).toEqual(words);
  });

  it.each(['x', 'ё', '🐦', '"\n'])(
    'with a text of %j that is too long, is cut between characters',
    (part) => {
      const payload = toPayload({ ...message, body: part.repeat(4_000) });
      const bytes = Buffer.byteLength(payload);
      expect([bytes > 3_890, bytes <= 3_900]).toEqual([true, true]);
      const { body, ...rest } = JSON.parse(payload);
      expect({ ...rest, body: message.body }).toEqual(words);
      expect(body).toMatch(new RegExp(`^(${part})+("?)…$`, 'u'));
    },
  );
});

describe('subject of web push', () => {
  it.each([
    ['https://hub.example/birds', 'https://hub.example/birds'],
    ['https://my hub', 'mailto:birdhub@birdhub.example'],
    ['http://hub.local', 'mailto:birdhub@birdhub.example'],
    ['', 'mailto:birdhub@birdhub.example'],
  ])('of a hub at %j, is %s', (baseUrl, subject) => {
    expect(subjectOf(baseUrl)).toBe(subject);
  });
});
