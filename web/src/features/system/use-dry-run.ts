import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';

/** What a way to clear files can do: say what would go, and do it. */
interface Clearing<Answer> {
  run(options: { dryRun: boolean; confirm: boolean }): Promise<Answer>;
  onDone(answer: Answer): void;
}

/** Clears files in two steps, so that nobody does it unseen: first what would go, then the deed. */
export function useDryRun<Answer>({ run, onDone }: Clearing<Answer>) {
  const { t } = useTranslation('system');
  const client = useQueryClient();
  const onError = (error: Error) => notifications.show({ color: 'red', message: problemText(t, error) });
  const look = useMutation({ mutationFn: () => run({ dryRun: true, confirm: false }), onError });
  const act = useMutation({
    // What is asked for was read before: also when it is more than half of all.
    mutationFn: () => run({ dryRun: false, confirm: true }),
    onError,
    onSuccess: async (answer) => {
      look.reset();
      onDone(answer);
      await client.invalidateQueries({ queryKey: ['storage'] });
    },
  });
  return {
    preview: look.data,
    isLooking: look.isPending,
    isActing: act.isPending,
    look: () => look.mutate(),
    act: () => act.mutate(),
    dismiss: () => look.reset(),
  };
}
