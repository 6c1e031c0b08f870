import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { problemText } from '../../api/problem';

type Frequency = 'daily' | 'weekly' | 'monthly';

/** Shows the digest that would be sent now. */
export function DigestPreview({ frequency }: { readonly frequency: unknown }) {
  const { t } = useTranslation('notifications');
  const preview = useMutation({
    mutationFn: (wanted: Frequency) =>
      unwrap(hub.POST('/api/ui/digest/preview', { body: { frequency: wanted } })),
  });
  const { data, error } = preview;
  const wanted: Frequency = frequency === 'weekly' || frequency === 'monthly' ? frequency : 'daily';
  return (
    <Stack align="start" gap="xs">
      <Button variant="light" loading={preview.isPending} onClick={() => preview.mutate(wanted)}>
        {t('digest.preview')}
      </Button>
      {error !== null && (
        <Text size="sm" c="red" role="alert">
          {problemText(t, error)}
        </Text>
      )}
      {data && (
        <Paper withBorder p="sm" radius="md" w="100%" role="status">
          <Group align="flex-start" gap="sm">
            {data.detection_id !== null && (
              <img
                src={hubUrl(`/api/ui/detections/${data.detection_id}/crop`)}
                alt=""
                style={{ width: '7rem', maxWidth: '100%', borderRadius: 'var(--mantine-radius-sm)' }}
              />
            )}
            <Stack gap={4} miw={0} flex={1}>
              <Text fw={600}>{data.title}</Text>
              <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                {data.body}
              </Text>
            </Stack>
          </Group>
        </Paper>
      )}
    </Stack>
  );
}
