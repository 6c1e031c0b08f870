/** A stretch of text in one font. */
export interface FontRun {
  readonly font: string;
  readonly text: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a reader takes for one character each. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Cuts a text into stretches of one font, as `fontOf` has it for code points; marks stay with their letter. */
export function splitFontRuns(text: string, fontOf: (codePoint: number) => string): FontRun[] {
  const runs: { font: string; text: string }[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const font = fontOf(grapheme.codePointAt(0) ?? 0);
    const run = runs.at(-1);
    if (run?.font === font) run.text += grapheme;
    else runs.push({ font, text: grapheme });
  }
  return runs;
}
