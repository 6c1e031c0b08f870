import { cleanup, configure, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { readCities } from './find-city';
import { PlaceStep } from './place-step';
import texts from './texts/en.json';
import { useDone } from './welcome-queries';

// Modules read the address of the page when they load.
vi.hoisted(() => {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    'https://birds.example/',
  );
});
vi.mock('./load-cities', () => ({ loadCities }));

async function loadCities() {
  const lines = [
    'DE Europe/Berlin\nMunich\t\t4814\t1158\t61',
    'US America/Chicago\nAustin\tTX\t3027\t-9774\t60',
  ];
  return readCities(lines.join('\n\n'));
}

// The machine may be slow.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Uses the location of a device in a hub with settings; returns the change of the settings. */
async function locateAt(latitude: number, longitude: number, settings: object = {}) {
  const getCurrentPosition = (done: (position: object) => void) => done({ coords: { latitude, longitude } });
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
  });
  const onDone = vi.fn();
  await renderPart(<PlaceStep onDone={onDone} />, { welcome: texts });
  fireEvent.click(screen.getByRole('button', { name: texts.use_device }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  return calls.find(([call]) => call.startsWith('PATCH'))?.[1];
}

function PlaceDone() {
  return <p>{`Place: ${useDone('2026-12-21').place}`}</p>;
}

test.each([
  ['in the polar night', { sunrise: null, sunset: null }, true],
  ['without a location', {}, false],
])('useDone %s, knows whether the hub has a place', async (_, sun, isDone) => {
  stubHub({ 'GET /api/ui/sun-times': () => ({ body: sun }) });
  await renderPart(<PlaceDone />, {});
  await screen.findByText(`Place: ${isDone}`);
});

describe('PlaceStep with the location of the device', () => {
  test('in another country than the browser, takes country, zone and units of the nearest city', async () => {
    expect(await locateAt(48.2, 11.6)).toEqual({
      ebird: { country: 'DE' },
      general: { timezone: 'Europe/Berlin', language: 'en' },
      secrets: { latitude: '48.2', longitude: '11.6' },
    });
  });

  test('in the United States, sets imperial units', async () => {
    expect(await locateAt(30.3, -97.7)).toMatchObject({
      general: { timezone: 'America/Chicago', units: 'imperial' },
    });
  });

  test('for a hub with a location, changes neither language nor units', async () => {
    expect(await locateAt(30.3, -97.7, { secrets: { latitude: '48.14' } })).toHaveProperty('general', {
      timezone: 'America/Chicago',
    });
  });
});
