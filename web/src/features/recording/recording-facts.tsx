import { Anchor, Group, Text, Tooltip } from '@mantine/core';
import { IconBowl, IconCamera, IconClock, IconCloud, IconTemperature, IconWind } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFoodName } from '../../i18n/food-names';
import { useCameraName } from '../../lib/cameras';
import { useMeasures, useTimeFormat } from '../../lib/format';
import { isSighting, type Recording, recordingSeconds } from './recording-queries';

function Fact({
  icon: Icon,
  label,
  children,
}: {
  icon: typeof IconBowl;
  label: string;
  children: ReactNode;
}) {
  return (
    <Group gap={6} wrap="nowrap">
      <Tooltip label={label} events={{ hover: true, focus: false, touch: true }}>
        <Icon size={18} stroke={1.6} aria-label={label} role="img" />
      </Tooltip>
      <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
    </Group>
  );
}

/** Time, camera, weather and food of a recording. */
export function RecordingFacts({ recording }: { readonly recording: Recording }) {
  const { t } = useTranslation('recording');
  const { clock, clockSeconds, duration, percent } = useTimeFormat();
  const { temperature, speed } = useMeasures();
  const cameraName = useCameraName();
  const foodName = useFoodName();
  const { weather, food, camera_id, start_time } = recording;
  const { temp, clouds, wind_speed: wind } = weather;
  return (
    <Group gap="md" mt="sm" style={{ rowGap: 6 }}>
      <Fact icon={IconClock} label={t('when')}>
        {isSighting(recording)
          ? clock(start_time)
          : `${clockSeconds(start_time)}, ${duration(recordingSeconds(recording))}`}
      </Fact>
      {camera_id !== null && (
        <Fact icon={IconCamera} label={t('camera')}>
          <Anchor
            size="sm"
            inherit
            renderRoot={(props) => <Link to="/cameras/$id" params={{ id: camera_id }} {...props} />}
          >
            {cameraName(camera_id)}
          </Anchor>
        </Fact>
      )}
      {temp !== null && (
        <Fact icon={IconTemperature} label={t('temperature')}>
          {temperature(temp, 1)}
        </Fact>
      )}
      {clouds !== null && (
        <Fact icon={IconCloud} label={t('clouds')}>
          {percent(clouds / 100)}
        </Fact>
      )}
      {wind !== null && (
        <Fact icon={IconWind} label={t('wind')}>
          {speed(wind, 1)}
        </Fact>
      )}
      {food.length > 0 && (
        <Fact icon={IconBowl} label={t('food')}>
          {food.map(({ name }) => foodName(name)).join(', ')}
        </Fact>
      )}
    </Group>
  );
}
