import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import type { Day } from '../../lib/days';
import { exportPath, type TimelineFilters } from './timeline-search';

interface ExportMenuProps {
  readonly day: Day;
  readonly filters: TimelineFilters;
}

const formats = ['csv', 'json', 'ebird'] as const;

/** Downloads the visits that are shown. */
export function ExportMenu({ day, filters }: ExportMenuProps) {
  const { t } = useTranslation('timeline');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={18} stroke={1.6} aria-hidden />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('export_hint')}</Menu.Label>
        {formats.map((format) => (
          <Menu.Item key={format} component="a" download href={hubUrl(exportPath(day, filters, format))}>
            {t(`export_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
