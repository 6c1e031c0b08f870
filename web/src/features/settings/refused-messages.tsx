import { Button, Code, Collapse, Paper, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { useRefusals } from '../../api/sentences';
import { CopyField } from '../../components/copy-field';
import { Failure, Loading } from '../../components/states';
import { useTimeFormat } from '../../lib/format';
import { showMore } from '../../lib/show-more';
import type { SettingsTree } from './setting-values';

type RefusedMessage = components['schemas']['RefusedMessage'];

const refusedQuery = queryOptions({
  queryKey: ['mqtt-refused'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/mqtt/refused', { signal })),
});

/** Number of messages before "show more". */
const initialCount = 5;

/** Rejected MQTT messages with the reason, newest first. */
export function RefusedMessages() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(refusedQuery);
  const [isExpanded, setIsExpanded] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  if (data === undefined) {
    return error === null ? (
      <Loading rows={2} height={64} />
    ) : (
      <Failure error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <Text size="sm">{t('refused.none')}</Text>;
  const hidden = isExpanded ? 0 : Math.max(0, data.length - initialCount);
  return (
    <Stack gap="sm">
      <Stack ref={list} component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.slice(0, data.length - hidden).map((message) => (
          <RefusedCard key={message.id} message={message} />
        ))}
      </Stack>
      {hidden > 0 && (
        <Button variant="light" onClick={() => showMore(list.current, () => setIsExpanded(true))}>
          {t('refused.more', { count: hidden })}
        </Button>
      )}
    </Stack>
  );
}

function RefusedCard({ message }: { readonly message: RefusedMessage }) {
  const { t } = useTranslation('settings');
  const { moment } = useTimeFormat();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const sayRefusal = useRefusals();
  const { received_at, topic, reason, details, field, error, payload } = message;
  // Messages that an earlier version refused have no details.
  const mistakes = details.length > 0 ? details : [{ path: field ?? '', message: error }];
  return (
    <Paper component="li" withBorder p="sm" radius="md" bg="transparent">
      <Text fw={600} size="sm">
        {t(`refused.reason.${reason}`)}
      </Text>
      {mistakes.map((mistake) => (
        <Text key={`${mistake.path} ${mistake.message}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {[mistake.path, sayRefusal(mistake)].filter(Boolean).join(': ')}
        </Text>
      ))}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('refused.at', { when: moment(received_at), topic })}
      </Text>
      {payload !== '' && (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            ml={-8}
            mt={4}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {t(isOpen ? 'refused.hide' : 'refused.show')}
          </Button>
          <Collapse expanded={isOpen} id={id}>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} mt={4}>
              {payload}
            </Code>
          </Collapse>
        </>
      )}
    </Paper>
  );
}

const quote = (text: unknown) => `'${String(text).replaceAll("'", "'\\''")}'`;

/** A command that reports a bird by MQTT. */
export function PostExample({ settings }: { readonly settings: SettingsTree }) {
  const { t } = useTranslation('settings');
  const { broker, port, username, post_topic: topic } = settings['mqtt'] ?? {};
  const parts = [
    `mosquitto_pub -h ${broker || 'localhost'} -p ${port ?? 1883} -q 1`,
    ...(username ? [`-u ${quote(username)} -P '…'`] : []),
    `-t ${quote(`${topic}/garden`)} -m '{"species_name": "Great Tit", "confidence": 0.9}'`,
  ];
  return <CopyField label={t('mqtt.example')} description={t('mqtt.example_help')} value={parts.join(' ')} />;
}
