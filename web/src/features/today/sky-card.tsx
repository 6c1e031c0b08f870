import { Group, Text } from '@mantine/core';
import { IconSunrise, IconSunset } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useNow } from '../../lib/clock';
import { useMeasures, useTimeFormat } from '../../lib/format';
import { Card } from './card';
import classes from './sky-card.module.css';
import { sunTimesQuery, weatherQuery } from './today-queries';

type Weather = components['schemas']['WeatherNow'];

/** Weather and sun times; renders nothing while the location of the hub is unknown. */
export function SkyCard({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { data: weather, isPending: isWeatherAwaited } = useQuery(weatherQuery);
  const { data: sun, isPending: isSunAwaited } = useQuery(sunTimesQuery(day));
  const isPlaceKnown = sun === undefined || sun.sunrise !== undefined;
  if (!isPlaceKnown && weather?.temp === undefined) return null;
  return (
    <div className={isWeatherAwaited || isSunAwaited ? classes['awaited'] : undefined}>
      <Card title={t('sky')}>
        <div className={classes['sky']}>
          {weather && <WeatherNow weather={weather} />}
          {isPlaceKnown && <SunTimes sunrise={sun?.sunrise} sunset={sun?.sunset} />}
        </div>
      </Card>
    </div>
  );
}

function WeatherNow({ weather }: { readonly weather: Weather }) {
  const { t } = useTranslation('today');
  const { percent, ago } = useTimeFormat();
  const { temperature, speed } = useMeasures();
  const now = useNow();
  const { temp, main, wind_speed, humidity, stale, fetched_at } = weather;
  if (typeof temp !== 'number') return null;
  const word = weatherTextKey(main ?? '');
  const details = [
    word && t(word),
    typeof wind_speed === 'number' ? t('wind', { speed: speed(wind_speed) }) : undefined,
    typeof humidity === 'number' ? t('humidity', { share: percent(humidity / 100) }) : undefined,
    stale && fetched_at !== undefined ? ago(fetched_at, now) : undefined,
  ];
  return (
    <div>
      <Text className={classes['temperature']}>{temperature(temp)}</Text>
      <Text size="sm" c="dimmed">
        {details.filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}

interface SunTimesProps {
  readonly sunrise: string | null | undefined;
  readonly sunset: string | null | undefined;
}

function SunTimes({ sunrise, sunset }: SunTimesProps) {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  return (
    <Group gap="lg">
      <Text className={classes['sun']}>
        <IconSunrise size={20} stroke={1.6} role="img" aria-label={t('sunrise')} />
        {sunrise ? clock(sunrise) : '–'}
      </Text>
      <Text className={classes['sun']}>
        <IconSunset size={20} stroke={1.6} role="img" aria-label={t('sunset')} />
        {sunset ? clock(sunset) : '–'}
      </Text>
    </Group>
  );
}

/** Text keys by the hub's conditions, which are the main groups of OpenWeather with hail and wind. */
const words = {
  Clear: 'weather_clear',
  Clouds: 'weather_clouds',
  Rain: 'weather_rain',
  Drizzle: 'weather_drizzle',
  Snow: 'weather_snow',
  Thunderstorm: 'weather_thunderstorm',
  Mist: 'weather_fog',
  Fog: 'weather_fog',
  Haze: 'weather_fog',
  Hail: 'weather_hail',
  Wind: 'weather_wind',
  Smoke: 'weather_dust',
  Dust: 'weather_dust',
  Sand: 'weather_dust',
  Ash: 'weather_dust',
  Squall: 'weather_storm',
  Tornado: 'weather_storm',
} as const;

const isKnown = (word: string): word is keyof typeof words => Object.hasOwn(words, word);

/** Returns the text key for a condition; undefined for unknown ones. */
function weatherTextKey(main: string): (typeof words)[keyof typeof words] | undefined {
  return isKnown(main) ? words[main] : undefined;
}
