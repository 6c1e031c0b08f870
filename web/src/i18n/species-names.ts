import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

type Names = Readonly<Record<string, string>>;

/** Translated names by the English names of the catalogue. */
const catalogues: Readonly<Record<string, () => Promise<{ default: Names }>>> = {
  de: () => import('./species-names/de.json'),
  ru: () => import('./species-names/ru.json'),
  fr: () => import('./species-names/fr.json'),
  es: () => import('./species-names/es.json'),
  it: () => import('./species-names/it.json'),
  nl: () => import('./species-names/nl.json'),
  pl: () => import('./species-names/pl.json'),
};

function useNames() {
  const { i18n } = useTranslation();
  const language = i18n.resolvedLanguage ?? 'en';
  return useQuery({
    queryKey: ['species-names', language],
    queryFn: async () => (await catalogues[language]?.())?.default ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns a function from a species' English name to its name in the page's language. */
export function useSpeciesName(): (name: string) => string {
  const { data } = useNames();
  return useCallback((name) => data?.[name] ?? name, [data]);
}

/** Whether the names in the page's language are loading; until then, they are in English. */
export const useAreNamesLoading = (): boolean => useNames().isPending;
