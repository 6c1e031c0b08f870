import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';

/** Sentences that the hub says of a source, each with a code and values. */
export type Sentences = components['schemas']['Source']['sentences'];

/** Returns a function that says sentences in the language of the page; in English where there is no translation. */
export function useSentences(): (sentences: Sentences | undefined, english: string) => string {
  const { t, i18n } = useTranslation('sources');
  const nameOf = useSpeciesName();
  const { moment } = useTimeFormat();
  const toText = ({ code, values }: Sentences[number]) => {
    const { at, bird } = values;
    return t(`said.${code}` as 'said.other', {
      ...values,
      ...(typeof at === 'string' && { at: moment(at) }),
      ...(typeof bird === 'string' && { bird: nameOf(bird) }),
    });
  };
  return (sentences = [], english) => {
    const isKnown =
      sentences.length > 0 && sentences.every(({ code }) => i18n.exists(`sources:said.${code}`));
    return isKnown ? sentences.map(toText).join(' ') : english;
  };
}
