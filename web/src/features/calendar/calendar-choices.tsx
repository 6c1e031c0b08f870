import { Group, NativeSelect, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { calendarSorts, sortOf } from './calendar-search';
import { useCalendarSearch } from './use-calendar-search';
import { YearChooser } from './year-chooser';

/** Years, order and what counts. */
export function CalendarChoices() {
  const { t } = useTranslation('calendar');
  const [search, change] = useCalendarSearch();
  return (
    <>
      <YearChooser />
      <NativeSelect
        label={t('sort')}
        value={sortOf(search)}
        onChange={({ currentTarget: { value } }) =>
          change({ sort: calendarSorts.find((one) => one === value) })
        }
        data={calendarSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
      />
      <NativeSelect
        label={t('counted')}
        value={search.metric ?? 'visits'}
        onChange={({ currentTarget: { value } }) =>
          change({ metric: value === 'individuals' ? value : undefined })
        }
        data={(['visits', 'individuals'] as const).map((value) => ({ value, label: t(`count_${value}`) }))}
      />
      <Group gap="md" py={6}>
        <Switch
          label={t('only_video')}
          checked={search.evidence === 'video'}
          onChange={({ currentTarget: { checked } }) => change({ evidence: checked ? 'video' : undefined })}
        />
        <Switch
          label={t('full_catalog')}
          checked={search.catalog === 'full'}
          onChange={({ currentTarget: { checked } }) => change({ catalog: checked ? 'full' : undefined })}
        />
      </Group>
    </>
  );
}
