import { Button, Fieldset, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { InputProps } from './setting-input';

type Camera = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is Camera[] => Array.isArray(value);
const texts = { id: 'camera_id', name: 'camera_name', stream_url: 'camera_stream' } as const;
const textKeys = Object.keys(texts) as (keyof typeof texts)[];

/** The cameras with their names; what else other programs keep with a camera stays. */
export function CamerasInput({ value, onChange, shown }: InputProps) {
  const { t } = useTranslation('settings');
  const cameras = isList(value) ? value : [];
  const edit = (index: number, part: Camera) =>
    onChange(cameras.map((camera, at) => (at === index ? { ...camera, ...part } : camera)));
  return (
    <Input.Wrapper {...shown} labelElement="div">
      <Stack gap="sm" mt="xs">
        {cameras.length === 0 && <Text c="dimmed">{t('no_cameras')}</Text>}
        {cameras.map((camera, index) => {
          const legend = t('camera', { number: index + 1 });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the id of a camera is being typed.
            <Fieldset key={index} legend={legend}>
              <Stack gap="xs">
                {textKeys.map((key) => (
                  <TextInput
                    key={key}
                    label={t(texts[key])}
                    required={key === 'id'}
                    value={String(camera[key] ?? '')}
                    onChange={(event) => edit(index, { [key]: event.currentTarget.value })}
                  />
                ))}
                <Group justify="space-between">
                  <Switch
                    label={t('camera_enabled')}
                    checked={camera['enabled'] !== false}
                    onChange={(event) => edit(index, { enabled: event.currentTarget.checked })}
                  />
                  <Button
                    variant="subtle"
                    color="red"
                    size="sm"
                    onClick={() => onChange(cameras.filter((_, at) => at !== index))}
                  >
                    {t('remove', { name: legend })}
                  </Button>
                </Group>
              </Stack>
            </Fieldset>
          );
        })}
        <Button
          variant="light"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...cameras, { id: '', enabled: true }])}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('add')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
