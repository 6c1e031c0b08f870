/** A function that was called: the file that has it and its place there. */
export type CalledFunction = { readonly file: string; readonly key: string };

/** What V8 says of one script: its functions, the body of the module first. */
export type ScriptCoverage = {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
};

/** The source of a compiled file: `services/query/src/app.ts` of `…/services/query/dist/app.js`. */
export function toSourceFile(url: string): string | undefined {
  const [, workspace, path] = /\/((?:packages|services)\/[\w-]+)\/dist\/(.+)\.js$/.exec(url) ?? [];
  return workspace === undefined ? undefined : `${workspace}/src/${path}.ts`;
}

/** The functions of our own files that were called. The body of a module runs when it is loaded, so it is left out. */
export function listCalled(scripts: readonly ScriptCoverage[]): CalledFunction[] {
  return scripts.flatMap(({ url, functions }) => {
    const file = toSourceFile(url);
    if (file === undefined) return [];
    return functions.flatMap(({ functionName, ranges }) => {
      const [range] = ranges;
      if (range === undefined || range.count === 0 || range.startOffset === 0) return [];
      return [{ file, key: `${file}:${range.startOffset}:${functionName}` }];
    });
  });
}

/** The files with a function that was called in every repetition and not while the hub was idle, sorted. */
export function filesOf(
  repetitions: readonly (readonly CalledFunction[])[],
  idle: readonly CalledFunction[],
): string[] {
  const isIdle = new Set(idle.map(({ key }) => key));
  const files = repetitions.map(
    (called) => new Set(called.filter(({ key }) => !isIdle.has(key)).map(({ file }) => file)),
  );
  const [first = new Set<string>(), ...others] = files;
  return [...first].filter((file) => others.every((other) => other.has(file))).sort();
}
