import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { showProblemNotice } from '../../components/notices';
import { useSpeciesName } from '../../i18n/species-names';
import { useCameraName } from '../../lib/cameras';
import { speciesListQuery } from '../../lib/species-list';
import { sourcesQuery } from '../sources/sources-queries';
import { useChannels } from './channels';
import { type Rule, type RuleDraft, type RuleNames, withoutUnused } from './rule';

/** All rules in their order. */
export const rulesQuery = queryOptions({
  queryKey: ['alert-rules'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/alert-rules', { signal })),
});

/** Number of past days that a preview covers. */
const previewDays = 7;

/** What a rule would have sent in the last week. */
export const previewQuery = (rule: RuleDraft) =>
  queryOptions({
    queryKey: ['alert-rules', 'preview', rule],
    queryFn: ({ signal }) =>
      unwrap(
        hub.POST('/api/ui/alert-rules/preview', {
          body: { rule: { ...withoutUnused(rule), name: rule.name.trim() || '-' }, days: previewDays },
          signal,
        }),
      ),
    retry: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });

/** Whether messages were sent; undefined for all. */
export type LogFilter = boolean | undefined;

const logPage = 30;

/** The log of sent and suppressed messages, newest first. */
export const logQuery = (notified: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['alert-log', notified ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        hub.GET('/api/ui/alert-log', {
          params: {
            query: {
              limit: logPage,
              ...(pageParam !== 0 && { cursor: pageParam }),
              ...(notified !== undefined && { notified }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: 30_000,
  });

function useInvalidateRules() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: rulesQuery.queryKey, exact: true });
}

/** Creates a rule, or updates the one with the id. */
export function useStoreRule() {
  const invalidate = useInvalidateRules();
  return useMutation({
    mutationFn: ({ id, ...rule }: RuleDraft & { readonly id?: number | undefined }) => {
      const body = { ...withoutUnused(rule), name: rule.name.trim() };
      return id === undefined
        ? unwrap(hub.POST('/api/ui/alert-rules', { body }))
        : unwrap(hub.PATCH('/api/ui/alert-rules/{id}', { params: { path: { id } }, body }));
    },
    onSuccess: invalidate,
  });
}

/** Switches a rule on or off, or moves it. */
export function useChangeRule() {
  const { t } = useTranslation('notifications');
  const invalidate = useInvalidateRules();
  return useMutation({
    mutationFn: ({
      id,
      ...body
    }: {
      readonly id: number;
      readonly enabled?: boolean;
      readonly position?: number;
    }) => unwrap(hub.PATCH('/api/ui/alert-rules/{id}', { params: { path: { id } }, body })),
    onError: (error) => showProblemNotice(problemText(t, error)),
    onSettled: invalidate,
  });
}

export function useDeleteRule() {
  const invalidate = useInvalidateRules();
  return useMutation({
    mutationFn: ({ id }: Pick<Rule, 'id'>) =>
      unwrap(hub.DELETE('/api/ui/alert-rules/{id}', { params: { path: { id } } })),
    onSettled: invalidate,
  });
}

/** Returns the names of the objects to which rules refer, in the page's language. */
export function useRuleNames(): RuleNames {
  const { i18n } = useTranslation();
  const { data: species = [] } = useQuery(speciesListQuery);
  const { data: sources = [] } = useQuery({ ...sourcesQuery, refetchInterval: false });
  const channels = useChannels();
  const nameOf = useSpeciesName();
  const cameraName = useCameraName();
  return {
    language: i18n.language,
    species(id) {
      const found = species.find((one) => one.id === id);
      return found ? nameOf(found.name) : `#${id}`;
    },
    camera: cameraName,
    source: (id) => sources.find((source) => source.id === id)?.name ?? `#${id}`,
    channel: (id) => channels.find((channel) => channel.id === id)?.name,
  };
}
