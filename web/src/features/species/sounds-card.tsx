import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { licenceName } from './licence-name';
import { SectionCard } from './section-card';
import { soundsQuery } from './species-queries';

type Sound = components['schemas']['SoundRecording'];

function SoundPlayer({ sound }: { readonly sound: Sound }) {
  const { t } = useTranslation('species');
  const { id, file, type, rec, cnt, length, licence } = sound;
  const about = [rec && t('recorded_by', { name: rec }), cnt, length].filter(Boolean).join(' · ');
  return (
    <Stack gap={4} component="li">
      <Text size="sm" fw={600}>
        {type ?? t('sound')}
      </Text>
      {/* biome-ignore lint/a11y/useMediaCaption: a bird sings; what it is stands above. */}
      <audio
        controls
        preload="none"
        src={file}
        aria-label={`${type ?? t('sound')}, ${about}`}
        style={{ width: '100%' }}
      />
      <Text size="xs" c="dimmed">
        {about} ·{' '}
        <Anchor href={`https://xeno-canto.org/${id}`} target="_blank" rel="noreferrer" size="xs">
          XC{id}
        </Anchor>
        {licence && (
          <>
            {' · '}
            <Anchor href={licence} target="_blank" rel="noreferrer license" size="xs">
              {licenceName(licence) ?? t('licence')}
            </Anchor>
          </>
        )}
      </Text>
    </Stack>
  );
}

/** How a species sounds, from xeno-canto. */
export function SoundsCard({ speciesId }: { readonly speciesId: number }) {
  const { t } = useTranslation('species');
  const { data, error } = useQuery(soundsQuery(speciesId));
  return (
    <SectionCard title={t('sounds')}>
      {error && <Text c="dimmed">{problemText(t, error)}</Text>}
      {!data && !error && <Skeleton height={160} />}
      {data && (
        <>
          {data.recordings.length > 0 ? (
            <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {data.recordings.map((sound) => (
                <SoundPlayer key={sound.id} sound={sound} />
              ))}
            </Stack>
          ) : (
            <Text size="sm" c="dimmed">
              {t(data.configured ? 'no_sounds' : 'sounds_need_key')}
            </Text>
          )}
          <Anchor href={data.xeno_canto_search_url} target="_blank" rel="noreferrer" size="sm">
            <Group gap={6} wrap="nowrap">
              {t('more_sounds')}
              <IconExternalLink size={16} aria-hidden />
            </Group>
          </Anchor>
        </>
      )}
    </SectionCard>
  );
}
