import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import components from '../components/texts/de.json';
import { problemText, toProblem } from './problem';
import api from './texts/de.json';

const texts = createInstance();
beforeAll(() =>
  texts.use(initReactI18next).init({
    lng: 'de',
    keySeparator: false,
    interpolation: { escapeValue: false },
    resources: { de: { api, components } },
  }),
);

const receive = (status: number, body: unknown) => toProblem(new Response(null, { status }), body);
const refused = (details: object[], more: object = {}) =>
  receive(400, { error: 'url: is wrong', code: 'invalid_request', request_id: 'x', details, ...more });

describe('toProblem for a refused field', () => {
  test('with a code that has a text, gives the message in the language of the page', async () => {
    const { details } = await refused([
      {
        path: '/url',
        message: 'is needed: the address of Frigate, such as http://a:5000',
        code: 'address_needed',
        values: { program: 'Frigate', example: 'http://a:5000' },
      },
      {
        path: '/name',
        message: 'must NOT have more than 64 characters',
        code: 'too_long',
        values: { limit: 64 },
      },
    ]);
    expect(details.map(({ path, message }) => [path, message])).toEqual([
      ['/url', 'Gib die Adresse von Frigate ein, etwa http://a:5000'],
      ['/name', 'Zu lang: höchstens 64 Zeichen'],
    ]);
  });

  test.each([undefined, 'of_a_later_hub'])('with the code %s, keeps the message of the hub', async (code) => {
    const { details } = await refused([{ path: '/url', message: 'is odd', ...(code && { code }) }]);
    expect(details[0]?.message).toBe('is odd');
  });
});

describe('problemText', () => {
  const textOf = async (status: number, body: object) => problemText(texts.t, await receive(status, body));

  test('with details of a field, includes the message of the field', async () => {
    const detail = { path: '/until', message: 'must be later than since', code: 'before_start' };
    expect(problemText(texts.t, await refused([detail]))).toBe(
      'Der Hub hat das nicht angenommen: Muss nach dem Anfang liegen',
    );
  });

  test('for a conflict with details, returns the message of the field', async () => {
    const detail = { path: '/ebird_code', message: 'belongs to another species', code: 'ebird_code_taken' };
    const body = { error: 'ebird_code: …', code: 'conflict', request_id: 'x', details: [detail] };
    expect(await textOf(409, body)).toBe('Dieser Code gehört zu einer anderen Art');
  });

  test.each([
    ['job_running', 'Diese Aufgabe läuft schon.'],
    ['source_not_found', 'Das gibt es nicht mehr. Lade die Seite neu.'],
    ['too_many_tokens', 'Mehr davon kann der Hub nicht haben. Lösche zuerst einen Eintrag.'],
    ['wrong_password', 'Falsches Passwort.'],
    ['of_a_later_hub', 'In English.'],
  ])('for the code %s, returns "%s"', async (code, text) => {
    expect(await textOf(409, { error: 'In English.', code, request_id: 'x' })).toBe(text);
  });

  test('for a response from elsewhere, returns the text for unexpected errors', async () => {
    expect(problemText(texts.t, await receive(500, 'Bad gateway'))).toBe(components.unexpected);
  });
});
