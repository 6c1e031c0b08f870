import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../i18n/species-names';
import { useTimeFormat } from '../lib/format';
import type { components } from './schema';

/** Sentences from the hub, each with a code and values. */
export type Sentences = components['schemas']['Source']['sentences'];

/** Namespaces with texts of sentences; `api` holds those that several pages share. */
type SentencesNamespace = 'api' | 'sources';

/**
 * Returns a function that translates sentences into the language of the page, or returns the English text if there is
 * no translation. It returns an empty string until the texts are loaded.
 */
export function useSentences(
  namespace: SentencesNamespace = 'api',
): (sentences: Sentences | undefined, english: string) => string {
  const namespaces = [namespace, 'api'] as const;
  const { t, i18n, ready } = useTranslation(namespaces, { useSuspense: false });
  const nameOf = useSpeciesName();
  const { moment, number } = useTimeFormat();
  const toText = ({ code, values }: Sentences[number]) => {
    const { at, bird, confidence, min } = values;
    return t(`sentence.${code}` as 'sentence.status', {
      ...values,
      ns: namespaces,
      ...(typeof at === 'string' && { at: moment(at) }),
      ...(typeof bird === 'string' && { bird: nameOf(bird) }),
      ...(typeof confidence === 'number' && { confidence: number(confidence, 1) }),
      ...(typeof min === 'number' && { min: number(min, 1) }),
    });
  };
  return (sentences = [], english) => {
    if (!ready) return '';
    const isKnown =
      sentences.length > 0 &&
      sentences.every(({ code }) => i18n.exists(`sentence.${code}`, { ns: namespaces }));
    return isKnown ? sentences.map(toText).join(' ') : english;
  };
}

type Refusal = Omit<NonNullable<components['schemas']['Error']['details']>[number], 'path'>;

/**
 * Returns a function that says what is wrong with a field in the language of the page; in English where there is no
 * translation. It says nothing until the texts are loaded.
 */
export function useRefusals(): (refusal: Refusal) => string {
  const { t, ready } = useTranslation('api', { useSuspense: false });
  return ({ message, code, values }) =>
    ready ? t(`refused.${code}` as 'refused.required', { ...values, defaultValue: message }) : '';
}
