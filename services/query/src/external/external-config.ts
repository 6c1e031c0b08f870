import { type Static, Type } from 'typebox';

const address = (what: string, value: string) =>
  Type.String({
    default: value,
    pattern: '^https?://[^\\s/]',
    description: `Address of ${what}, version included`,
  });

/** Where the services outside are, as far as the environment says it. */
export const outsideConfig = {
  openMeteoUrl: address('the Open-Meteo API', 'https://api.open-meteo.com/v1'),
  openweatherApiUrl: address('the OpenWeather API', 'https://api.openweathermap.org/data/2.5'),
  ebirdApiUrl: address('the eBird API', 'https://api.ebird.org/v2'),
  xenoCantoApiUrl: address('the xeno-canto API', 'https://xeno-canto.org/api/3'),
  wikipediaApiUrl: address(
    'the REST API of the English Wikipedia, by whose `en` those of other languages are found',
    'https://en.wikipedia.org/api/rest_v1',
  ),
};

const OutsideUrlsSchema = Type.Object(outsideConfig);

/** Addresses of services outside, version path included. */
export type OutsideUrls = Static<typeof OutsideUrlsSchema>;
