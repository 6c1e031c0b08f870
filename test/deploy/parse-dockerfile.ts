/** An instruction of a Dockerfile, with continuation lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A build stage, with build arguments substituted. */
export interface Stage {
  /** The name after `AS`, or its index if it has none. */
  readonly name: string;
  readonly from: string;
  readonly steps: readonly Instruction[];
}

const instructionsOf = (text: string): Instruction[] =>
  text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, text: rest };
    });

/** Returns the stages of a Dockerfile in order, with build arguments substituted. */
export function parseDockerfile(text: string, given: Readonly<Record<string, string>>): Stage[] {
  const values = new Map(Object.entries(given));
  const fill = (value: string) => value.replace(/\$\{([A-Z_]+)\}/g, (all, name) => values.get(name) ?? all);
  const stages: { name: string; from: string; steps: Instruction[] }[] = [];
  for (const instruction of instructionsOf(text)) {
    const { name } = instruction;
    const filled = fill(instruction.text);
    if (name === 'ARG') {
      const [key = '', value] = filled.split('=');
      if (value !== undefined && !values.has(key)) values.set(key, value);
      continue;
    }
    if (name !== 'FROM') {
      stages.at(-1)?.steps.push({ name, text: filled });
      continue;
    }
    const [from = '', , alias = String(stages.length)] = filled.split(/\s+/);
    stages.push({ name: alias, from, steps: [] });
  }
  return stages;
}

/** Parses the arguments of `COPY`; `from` is a stage, or undefined for the build context. */
export function parseCopy(text: string): { from: string | undefined; sources: string[]; target: string } {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const places = words.filter((word) => !word.startsWith('--'));
  return { from, sources: places.slice(0, -1), target: places.at(-1) ?? '' };
}
