import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

type Names = Readonly<Record<string, string>>;

/** Names in a language by the English ones of the hub's catalogue. */
const catalogues: Readonly<Record<string, () => Promise<{ default: Names }>>> = {
  de: () => import('./de.json'),
  ru: () => import('./ru.json'),
};

/** Names a species in the page's language, as the hub does where the catalogue has no other name. */
export function useSpeciesName(): (name: string) => string {
  const { i18n } = useTranslation();
  const language = i18n.resolvedLanguage ?? 'en';
  const { data } = useQuery({
    queryKey: ['species-names', language],
    queryFn: async () => (await catalogues[language]?.())?.default ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useCallback((name) => data?.[name] ?? name, [data]);
}
