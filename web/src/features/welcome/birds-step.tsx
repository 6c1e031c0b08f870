import { Anchor, Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { CopyField } from '../../components/copy-field';
import { StartDemo } from '../demo/start-demo';
import { QrCode } from './qr-code';

/** Choice of where birds come from: an existing program, a detector, or the demo. */
export function BirdsStep() {
  const { t } = useTranslation('welcome');
  const address = `${window.location.origin}${hubUrl('/api/processor')}`;
  return (
    <Stack>
      <section aria-labelledby="welcome-demo">
        <Title order={3} size="h5" id="welcome-demo" mb={4}>
          {t('demo')}
        </Title>
        <Text size="sm" mb="xs">
          {t('demo_hint')}
        </Text>
        <StartDemo variant="filled" />
      </section>
      <Divider />
      <section aria-labelledby="welcome-source">
        <Title order={3} size="h5" id="welcome-source" mb={4}>
          {t('source')}
        </Title>
        <Text size="sm" mb="xs">
          {t('source_hint')}
        </Text>
        <Button
          variant="light"
          leftSection={<IconPlugConnected size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/sources" {...props} />}
        >
          {t('connect')}
        </Button>
      </section>
      <Divider />
      <section aria-labelledby="welcome-detector">
        <Title order={3} size="h5" id="welcome-detector" mb={4}>
          {t('detector')}
        </Title>
        <Group align="start" wrap="wrap">
          <Stack gap="xs" flex="1 1 15rem">
            <CopyField label={t('address')} description={t('address_hint')} value={address} />
            <Anchor size="sm" href={hubUrl('/docs#tag/processor')}>
              {t('anything')}
            </Anchor>
          </Stack>
          <QrCode text={address} label={t('qr', { address })} />
        </Group>
      </section>
    </Stack>
  );
}
