import { Box, NativeSelect, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Disclosure } from '../../components/disclosure';
import { useTimeFormat } from '../../lib/format';
import type { DatasetOptions } from './dataset';

const formats = ['crops', 'yolo', 'coco'] as const;

interface DatasetFieldsProps {
  readonly options: DatasetOptions;
  readonly onChange: (options: DatasetOptions) => void;
}

/** Options of a data set. */
export function DatasetFields({ options, onChange }: DatasetFieldsProps) {
  const { t } = useTranslation('reports');
  const set = (change: Partial<DatasetOptions>) => onChange({ ...options, ...change });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignContent: 'start' }}>
      <NativeSelect
        label={t('layout')}
        description={t(`layout_${options.format}_about`)}
        inputWrapperOrder={['label', 'input', 'description']}
        value={options.format}
        onChange={({ currentTarget }) =>
          set({ format: formats.find((format) => format === currentTarget.value) ?? 'crops' })
        }
        data={formats.map((value) => ({ value, label: t(`layout_${value}`) }))}
      />
      <Switch
        mt={{ base: 0, xs: 28 }}
        label={t('only_reviewed')}
        checked={options.isReviewed}
        onChange={({ currentTarget }) => set({ isReviewed: currentTarget.checked })}
      />
      <TextInput
        type="date"
        label={t('from')}
        value={options.start_date}
        onChange={({ currentTarget }) => set({ start_date: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={options.end_date}
        onChange={({ currentTarget }) => set({ end_date: currentTarget.value })}
        error={options.end_date !== '' && options.end_date < options.start_date && t('backwards')}
      />
      <AdvancedFields options={options} onChange={onChange} />
    </SimpleGrid>
  );
}

/** Less common options, collapsed by default. */
function AdvancedFields({ options, onChange }: DatasetFieldsProps) {
  const { t } = useTranslation('reports');
  const set = (change: Partial<DatasetOptions>) => onChange({ ...options, ...change });
  const { percentSuffix: suffix } = useTimeFormat();
  const percent = { min: 0, max: 100, suffix, clampBehavior: 'strict', allowDecimal: false } as const;
  const whole = { allowDecimal: false, clampBehavior: 'strict', max: 1_000_000 } as const;
  return (
    <Box style={{ gridColumn: '1 / -1' }}>
      <Disclosure label={t('advanced')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            {...percent}
            label={t('min_confidence')}
            value={Math.round(options.min_confidence * 100)}
            onChange={(value) => set({ min_confidence: Number(value) / 100 })}
          />
          <NumberInput
            {...percent}
            label={t('val_ratio')}
            value={Math.round(options.val_ratio * 100)}
            onChange={(value) => set({ val_ratio: Number(value) / 100 })}
          />
          <NumberInput
            {...whole}
            min={1}
            label={t('min_images')}
            value={options.min_images_per_class}
            onChange={(value) => set({ min_images_per_class: Math.max(1, Number(value)) })}
          />
          <NumberInput
            {...whole}
            min={0}
            label={t('seed')}
            description={t('seed_about')}
            inputWrapperOrder={['label', 'input', 'description']}
            value={options.split_seed}
            onChange={(value) => set({ split_seed: Number(value) })}
          />
        </SimpleGrid>
      </Disclosure>
    </Box>
  );
}
