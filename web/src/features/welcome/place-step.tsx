import { Alert, Anchor, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconCurrentLocation, IconMapPin, IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { Failure, Loading } from '../../components/states';
import { deviceZone } from '../demo/demo-queries';
import { type City, findCities, nearestCity } from './find-city';
import { loadCities } from './load-cities';
import classes from './welcome.module.css';
import { type ChosenPlace, useSetPlace } from './welcome-queries';

/** Long labels of buttons wrap on a phone. */
const wrapping = {
  root: { height: 'auto', minHeight: 36, paddingBlock: 6 },
  label: { whiteSpace: 'normal', textAlign: 'start' },
} as const;

/** Location of the hub: from this device, or a nearby city. */
export function PlaceStep({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation('welcome');
  const place = useSetPlace();
  const device = useMutation({ mutationFn: locate });
  // Callbacks of `mutate` do not run after a reset or when the step is gone.
  const locateDevice = () =>
    device.mutate(undefined, { onSuccess: (found) => place.mutate(found, { onSuccess: onDone }) });
  const choose = ({ latitude, longitude, zone, country }: City) => {
    // A browser may wait for the permission without end, so a city can be chosen meanwhile; it replaces the position.
    device.reset();
    place.mutate({ latitude, longitude, zone, country }, { onSuccess: onDone });
  };
  return (
    <Stack>
      <Text>{t('place_why')}</Text>
      {place.error !== null && (
        <Alert color="red" role="alert">
          {problemText(t, place.error)}
        </Alert>
      )}
      {canLocate() && (
        <Group>
          <Button
            styles={wrapping}
            leftSection={<IconCurrentLocation size={18} aria-hidden />}
            loading={device.isPending || place.isPending}
            onClick={locateDevice}
          >
            {t('use_device')}
          </Button>
        </Group>
      )}
      {device.isError && (
        <Text size="sm" role="alert">
          {t('device_failed')}
        </Text>
      )}
      <CitySearch onChoose={choose} isBusy={place.isPending} />
    </Stack>
  );
}

function CitySearch({
  onChoose,
  isBusy,
}: {
  readonly onChoose: (city: City) => void;
  readonly isBusy: boolean;
}) {
  const { t, i18n } = useTranslation('welcome');
  const [typed, setTyped] = useState('');
  const {
    data: cities,
    error,
    isLoading,
    refetch,
  } = useQuery({
    queryKey: ['cities'],
    queryFn: loadCities,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: typed !== '',
  });
  const language = i18n.resolvedLanguage ?? 'en';
  const countries = new Intl.DisplayNames([i18n.language], { type: 'region' });
  const found = findCities(cities ?? [], typed, (code) => countries.of(code));
  const nameOf = ({ name, names }: Pick<City, 'name' | 'names'>) => names[language] ?? name;
  const labelOf = (city: City) => {
    const near = city.landmark && t('near_city', { city: nameOf(city.landmark) });
    return [nameOf(city), city.state, near, countries.of(city.country)].filter(Boolean).join(', ');
  };
  return (
    <Stack gap="xs">
      <TextInput
        label={t('city')}
        description={t('city_hint')}
        value={typed}
        autoComplete="off"
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={isBusy ? <Loader size={18} /> : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key === 'Enter' && first !== undefined && !isBusy) onChoose(first);
        }}
      />
      {isLoading && <Loading rows={1} height={36} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} isRow />}
      <ul className={classes['cities']} aria-label={t('cities')}>
        {found.map((city) => (
          <li key={`${city.name} ${city.state} ${city.landmark?.name} ${city.country}`}>
            <Button
              variant="default"
              fullWidth
              justify="start"
              styles={wrapping}
              disabled={isBusy}
              leftSection={<IconMapPin size={18} aria-hidden />}
              onClick={() => onChoose(city)}
            >
              {labelOf(city)}
            </Button>
          </li>
        ))}
      </ul>
      {cities !== undefined && (
        <Text size="xs" c="dimmed">
          <Anchor inherit href="https://www.geonames.org/" rel="noreferrer" target="_blank">
            GeoNames
          </Anchor>
          , CC BY 4.0
        </Text>
      )}
      <Text size="sm" role="status">
        {cities !== undefined && typed.trim() !== '' && found.length === 0 ? t('no_city') : ''}
      </Text>
    </Stack>
  );
}

/** Browsers share their location only with pages from HTTPS or localhost. */
const canLocate = () => window.isSecureContext && 'geolocation' in navigator;

const readPosition = () =>
  new Promise<GeolocationPosition>((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 15_000, maximumAge: 3_600_000 });
  });

/** Returns the location of this device, with country and zone of the nearest city. */
async function locate(): Promise<ChosenPlace> {
  const { latitude, longitude } = (await readPosition()).coords;
  const cities = await loadCities().catch(() => []);
  const city = nearestCity(cities, { latitude, longitude });
  return { latitude, longitude, zone: city?.zone ?? deviceZone(), ...(city && { country: city.country }) };
}
