import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../i18n/species-names';
import { useTimeFormat } from '../lib/format';
import type { components } from './schema';

/** Sentences that the hub says, each with a code and values. */
export type Sentences = components['schemas']['Source']['sentences'];

/** Where texts of sentences are, beside those that several pages share. */
type SentencesNamespace = 'api' | 'sources';

/**
 * Returns a function that says sentences in the language of the page; in English where there is no translation. It
 * says nothing until the texts are loaded.
 */
export function useSentences(
  namespace: SentencesNamespace = 'api',
): (sentences: Sentences | undefined, english: string) => string {
  const namespaces = [namespace, 'api'] as const;
  const { t, i18n, ready } = useTranslation(namespaces, { useSuspense: false });
  const nameOf = useSpeciesName();
  const { moment } = useTimeFormat();
  const toText = ({ code, values }: Sentences[number]) => {
    const { at, bird } = values;
    return t(`said.${code}` as 'said.status', {
      ...values,
      ns: namespaces,
      ...(typeof at === 'string' && { at: moment(at) }),
      ...(typeof bird === 'string' && { bird: nameOf(bird) }),
    });
  };
  return (sentences = [], english) => {
    if (!ready) return '';
    const isKnown =
      sentences.length > 0 && sentences.every(({ code }) => i18n.exists(`said.${code}`, { ns: namespaces }));
    return isKnown ? sentences.map(toText).join(' ') : english;
  };
}
