import { Autocomplete, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { camerasQuery } from '../../lib/cameras';

interface CameraNamesProps {
  /** Cameras and microphones upstream. */
  readonly cameras: readonly string[];
  /** Ids of cameras in the hub, by name upstream. */
  readonly names: Readonly<Record<string, string>>;
  /** Precedes the names of unmapped cameras. */
  readonly prefix: string | undefined;
  readonly problem: string | undefined;
  readonly onChange: (names: Readonly<Record<string, string>>) => void;
}

const maxLength = 64;

/** Maps cameras upstream to cameras of the hub; unmapped ones keep their name, behind the prefix. */
export function CameraNames({ cameras, names, prefix, problem, onChange }: CameraNamesProps) {
  const { t } = useTranslation('sources');
  const { data: here = [], isPending } = useQuery(camerasQuery);
  /** Users choose by name; the id is stored. */
  const idOf = (text: string) => here.find(({ name }) => name === text)?.id ?? text;
  const nameOf = (id: string) => here.find((camera) => camera.id === id)?.name ?? id;
  return (
    <section aria-labelledby="camera-names-title">
      <Title order={2} size="h5" id="camera-names-title">
        {t('cameras')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('cameras_help')}
      </Text>
      <Stack gap="sm">
        {cameras.map((camera) => (
          <Autocomplete
            key={camera}
            label={camera}
            aria-label={t('camera_here', { camera })}
            placeholder={[prefix, camera].filter(Boolean).join('/')}
            data={[...new Set(here.map(({ name }) => name))]}
            value={nameOf(names[camera] ?? '')}
            disabled={isPending}
            maxLength={maxLength}
            autoComplete="off"
            spellCheck={false}
            comboboxProps={{ withinPortal: false }}
            withScrollArea={false}
            styles={{ options: { maxHeight: '14rem', overflowY: 'auto' } }}
            onChange={(text) => onChange({ ...names, [camera]: idOf(text) })}
          />
        ))}
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
      </Stack>
    </section>
  );
}
