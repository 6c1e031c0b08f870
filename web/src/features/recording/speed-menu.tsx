import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';

const rates = [0.1, 0.25, 0.5, 1, 2];

/** How fast the recording is played. */
export function SpeedMenu(props: { readonly rate: number; readonly onChoose: (rate: number) => void }) {
  const { t } = useTranslation('recording');
  const { number } = useTimeFormat();
  return (
    <Menu position="top" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          h={34}
          px={6}
          aria-label={t('speed_now', { rate: number(props.rate, 2) })}
        >
          {number(props.rate, 2)}×
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('speed')}</Menu.Label>
        {rates.map((rate) => (
          <Menu.Item
            key={rate}
            fw={rate === props.rate ? 700 : undefined}
            onClick={() => props.onChoose(rate)}
          >
            {number(rate, 2)}×
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
