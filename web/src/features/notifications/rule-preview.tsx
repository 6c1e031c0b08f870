import { Paper, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../../api/problem';
import { useTimeFormat } from '../../lib/format';
import { type RuleDraft, ruleSentence } from './rule';
import { previewQuery, useRuleNames } from './rules-queries';

const typingMs = 400;
const maxExamples = 3;

/** The rule as a sentence, and what it would have sent in the last week. */
export function RulePreview({ draft }: { readonly draft: RuleDraft }) {
  const { t } = useTranslation('notifications');
  const { moment } = useTimeFormat();
  const names = useRuleNames();
  // Without the name, which does not affect what is sent.
  const [settled] = useDebouncedValue(draft, typingMs);
  const { data, error } = useQuery(previewQuery({ ...settled, name: '', enabled: true }));
  return (
    <Paper withBorder p="sm" radius="md" bg="var(--mantine-color-default-hover)">
      <Stack gap={6}>
        <Text style={{ overflowWrap: 'anywhere' }}>{ruleSentence(t, draft, names)}</Text>
        <Text size="sm" fw={600} role="status">
          {error !== null
            ? isIncomplete(error)
              ? t('preview.incomplete')
              : problemText(t, error)
            : data === undefined
              ? t('preview.loading')
              : data.known
                ? t('preview.would_send', { count: data.would_send })
                : t('preview.unknown')}
        </Text>
        {error === null && data !== undefined && data.examples.length > 0 && (
          <Stack component="ul" gap={4} m={0} pl="md">
            {data.examples.slice(0, maxExamples).map(({ at, title, body }) => (
              <Text
                key={`${at} ${title}`}
                component="li"
                size="sm"
                c="dimmed"
                style={{ overflowWrap: 'anywhere' }}
              >
                {moment(at)}: {title}
                {body && ` – ${body}`}
              </Text>
            ))}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}

/** Whether the hub rejected the rule as incomplete, such as one without its favourites. */
function isIncomplete(error: Error): boolean {
  return error instanceof Problem && error.status === 400;
}
