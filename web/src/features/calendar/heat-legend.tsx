import { Box, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import scale from './calendar.module.css';
import { heatLevel } from './heat';

interface HeatLegendProps {
  readonly bounds: readonly number[];
  readonly highest: number;
  /** What is counted. */
  readonly unit: string;
}

/** Legend of the shades. */
export function HeatLegend({ bounds, highest, unit }: HeatLegendProps) {
  const { t } = useTranslation('calendar');
  const { number } = useTimeFormat();
  const rangeOf = (min: number, max: number) => (min === max ? number(min) : `${number(min)}–${number(max)}`);
  return (
    <Group gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('legend')}>
      {bounds.map((min, index) => (
        <Group key={min} gap={6} component="li" wrap="nowrap">
          <Box w={20} h={20} className={scale['shade']} data-level={heatLevel(min, bounds)} />
          <Text size="sm" component="span">
            {rangeOf(min, (bounds[index + 1] ?? highest + 1) - 1)}
          </Text>
        </Group>
      ))}
      <Text size="sm" c="dimmed" component="li">
        {unit}
      </Text>
    </Group>
  );
}
