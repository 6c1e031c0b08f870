import { Type } from 'typebox';

/** Values of a text, by the names of its placeholders. */
export type TextValues = Readonly<Record<string, string | number>>;

type ValuesOf<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? { readonly [key in Name]: string | number } & ValuesOf<Rest>
  : unknown;

/** The arguments that a text with placeholders `{{name}}` needs: one object, or none without placeholders. */
export type TextArguments<Text extends string> =
  unknown extends ValuesOf<Text> ? [] : [values: ValuesOf<Text>];

/** A message that pages translate by its code. Instants in its values are in RFC 3339, lists are joined with commas. */
export interface Sentence<Code extends string = string> {
  readonly code: Code;
  readonly values: TextValues;
}

/** Returns a text with its placeholders filled. */
export function fillPlaceholders(text: string, values: TextValues = {}): string {
  return text.replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? ''));
}

const maxValueLength = 300;

/** Returns functions that create the sentences of a catalogue of English texts, and return their text. */
export function createSentences<const Texts extends Readonly<Record<string, string>>>(texts: Texts) {
  type Code = keyof Texts & string;
  return {
    /** Creates a sentence. Long values, which may come from other programs, are truncated. */
    say<C extends Code>(code: C, ...[values]: TextArguments<Texts[C]>): Sentence<Code> {
      const cut = Object.entries((values ?? {}) as TextValues).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, maxValueLength).toWellFormed() : value,
      ]);
      return { code, values: Object.fromEntries(cut) };
    },
    /** Returns the English text of sentences. */
    toEnglish(sentences: Sentence<Code> | readonly Sentence<Code>[]): string {
      return [sentences]
        .flat()
        .map(({ code, values }) => fillPlaceholders(texts[code] ?? '', values))
        .join(' ');
    },
  };
}

/** The schema of sentences in responses. */
export const sentencesSchema = (description: string) =>
  Type.Array(
    Type.Object({
      code: Type.String({ description: 'Code of the sentence, such as `low_confidence`' }),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'Values of the sentence by name; times are RFC 3339',
      }),
    }),
    { description },
  );

/** Converts sentences to their form in responses. */
export const shownSentences = (sentences: readonly Sentence[] | null | undefined) =>
  (sentences ?? []).map(({ code, values }) => ({ code, values: { ...values } }));
