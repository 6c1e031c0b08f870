/** A called function: its source file and its position. */
export interface CalledFunction {
  readonly file: string;
  readonly key: string;
}

/** V8's coverage of one script: its functions, the body of the module first. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

/** Returns the source of a compiled file: `services/query/src/app.ts` for `…/services/query/dist/app.js`. */
export function toSourceFile(url: string): string | undefined {
  const [, workspace, path] = /\/((?:packages|services)\/[\w-]+)\/dist\/(.+)\.js$/.exec(url) ?? [];
  return workspace === undefined ? undefined : `${workspace}/src/${path}.ts`;
}

/** Returns the called functions of our own files, without the bodies of modules, which run when they are loaded. */
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

/** Returns the sorted files with a function that was called in every repetition but not while the hub was idle. */
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
