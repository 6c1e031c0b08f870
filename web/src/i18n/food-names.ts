import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/** Returns a function from the name of a food to its name in the page's language; only those of a new hub have one. */
export function useFoodName(): (name: string) => string {
  const { i18n } = useTranslation();
  const language = i18n.resolvedLanguage ?? 'en';
  const { data } = useQuery({
    queryKey: ['food-names'],
    queryFn: async (): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> =>
      (await import('./food-names.json')).default,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: language !== 'en',
  });
  return (name) => data?.[language]?.[name] ?? name;
}
