import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { PlaceStep } from './place-step';
import germanTexts from './texts/de.json';
import texts from './texts/en.json';
import { useDone } from './welcome-queries';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Located = (position: object) => void;

/** Renders the step in a hub with settings and asks for the location of the device. */
async function locateWith(
  getCurrentPosition: (done: Located) => void,
  settings: object = {},
  demo: object = { state: 'none', has_own_birds: false, has_own_place: true },
) {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', {
    language: 'en-US',
    languages: ['en-US'],
    geolocation: { getCurrentPosition },
  });
  const fresh = { general: { language: 'en' }, ebird: { country: 'US' }, secrets: { latitude: '' } };
  const { calls } = stubHub({
    'GET /api/ui/settings': () => ({ body: { ...fresh, ...settings } }),
    'PATCH /api/ui/settings': () => ({ body: {} }),
    'GET /api/ui/demo': () => ({ body: demo }),
  });
  const onDone = vi.fn();
  const { unmount } = await renderPart(<PlaceStep onDone={onDone} />, { welcome: texts });
  fireEvent.click(screen.getByRole('button', { name: texts.use_device }));
  const changes = () => calls.filter(([call]) => call.startsWith('PATCH')).map(([, body]) => body);
  return { onDone, changes, unmount };
}

/** Uses the location of a device in a hub with settings; returns the change of the settings. */
async function locateAt(latitude: number, longitude: number, settings: object = {}, demo?: object) {
  const locate = (done: Located) => done({ coords: { latitude, longitude } });
  const { onDone, changes } = await locateWith(locate, settings, demo);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  return changes()[0];
}

/** The location of a device that is known only later. */
async function locateLater() {
  let arrive: Located = () => undefined;
  const step = await locateWith((done) => {
    arrive = done;
  });
  return {
    ...step,
    /** Reports a position in Texas and waits until it would have been stored. */
    arrive: async () => {
      await act(async () => {
        arrive({ coords: { latitude: 30.3, longitude: -97.7 } });
        await new Promise((resolve) => setTimeout(resolve, 100));
      });
    },
  };
}

async function findMunich() {
  const field = screen.getByLabelText(texts.city);
  fireEvent.change(field, { target: { value: 'Munich' } });
  await screen.findByRole('button', { name: /^Munich/ });
  return field;
}

function Done() {
  const { place, birds } = useDone('2026-12-21');
  return <p>{`Place: ${place}, birds: ${birds}`}</p>;
}

test.each([
  ['in the polar night', { sunrise: null, sunset: null }, true],
  ['without a location', {}, false],
])('useDone %s, knows whether the hub has a place', async (_, sun, isDone) => {
  stubHub({ 'GET /api/ui/sun-times': () => ({ body: sun }) });
  await renderPart(<Done />, {});
  await screen.findByText(new RegExp(`^Place: ${isDone},`));
});

test.each([
  [
    'only the demo has birds and a place',
    { state: 'live', has_own_birds: false, has_own_place: false },
    false,
  ],
  ['the hub has its own', { state: 'live', has_own_birds: true, has_own_place: true }, true],
  ['there is no demo', { state: 'none', has_own_birds: false, has_own_place: true }, true],
])('useDone, when %s, counts place and birds accordingly', async (_, demo, isDone) => {
  stubHub({
    'GET /api/ui/sun-times': () => ({ body: { sunrise: '2026-12-21T07:00:00Z' } }),
    'GET /api/ui/demo': () => ({ body: demo }),
  });
  await renderPart(<Done />, {}, { processor: 'ok', sources: [] });
  await screen.findByText(`Place: ${isDone}, birds: ${isDone}`);
});

describe('PlaceStep with the location of the device', () => {
  test('in another country than the browser, takes country and zone of the nearest city', async () => {
    expect(await locateAt(48.2, 11.6)).toEqual({
      ebird: { country: 'DE' },
      general: { timezone: 'Europe/Berlin', language: 'en' },
      secrets: { latitude: '48.2', longitude: '11.6' },
    });
  });

  test('for a hub with a location, does not change the language', async () => {
    expect(await locateAt(30.3, -97.7, { secrets: { latitude: '48.14' } })).toHaveProperty('general', {
      timezone: 'America/Chicago',
    });
  });

  test('for a hub with the place of the demo, sets the language too', async () => {
    const demo = { state: 'live', has_own_birds: false, has_own_place: false };
    expect(await locateAt(30.3, -97.7, { secrets: { latitude: '52.5' } }, demo)).toHaveProperty('general', {
      timezone: 'America/Chicago',
      language: 'en',
    });
  });

  test('that arrives after a city was chosen, is ignored', async () => {
    const { onDone, changes, arrive } = await locateLater();
    fireEvent.keyDown(await findMunich(), { key: 'Enter' });
    await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
    await arrive();
    expect(changes()).toEqual([
      expect.objectContaining({ secrets: { latitude: '48.14', longitude: '11.58' } }),
    ]);
  });

  test('that arrives after the step was left, is ignored', async () => {
    const { changes, unmount, arrive } = await locateLater();
    unmount();
    await arrive();
    expect(changes()).toEqual([]);
  });
});

test.each([
  ['en', texts, 'Friedberg, near Munich, Germany'],
  ['de', germanTexts, 'Friedberg, bei München, Deutschland'],
])(
  'PlaceStep in %s, shows the larger city nearby of a city of a common name',
  async (language, shown, label) => {
    stubHub({});
    await renderPart(<PlaceStep onDone={vi.fn()} />, { welcome: shown }, {}, { language });
    fireEvent.change(screen.getByLabelText(shown.city), { target: { value: 'Friedb' } });
    await screen.findByRole('button', { name: label });
  },
);

describe('PlaceStep while its cities', () => {
  /** Searches for a city, then replaces the loaded cities by a state of their request. */
  async function show(state: object) {
    stubHub({});
    const { queryClient } = await renderPart(<PlaceStep onDone={vi.fn()} />, { welcome: texts, components });
    await findMunich();
    const cities = queryClient.getQueryCache().find({ queryKey: ['cities'] });
    act(() => cities?.setState({ data: undefined, ...state }));
  }

  test('are loading, says so', async () => {
    await show({ status: 'pending', fetchStatus: 'fetching' });
    await screen.findByRole('status', { name: components.loading });
  });

  test('do not load, says so and loads them on request', async () => {
    await show({ status: 'error', error: new TypeError('Failed to fetch') });
    await screen.findByRole('alert');
    fireEvent.click(screen.getByRole('button', { name: components.retry }));
    await screen.findByRole('button', { name: /^Munich/ });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

test('PlaceStep, while a city is stored, ignores the Enter key', async () => {
  await locateLater();
  const field = await findMunich();
  const answer = fetch;
  const change = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', (request: Request) => (request.method === 'PATCH' ? change() : answer(request)));
  fireEvent.keyDown(field, { key: 'Enter' });
  const city = screen.getByRole('button', { name: /^Munich/ });
  await vi.waitFor(() => expect(city).toHaveProperty('disabled', true));
  fireEvent.keyDown(field, { key: 'Enter' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(change).toHaveBeenCalledTimes(1);
});
