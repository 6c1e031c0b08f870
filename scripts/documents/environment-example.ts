import { setByLauncher } from './launcher-facts.js';
import { type GivenVariable, launcherVariables } from './launcher-variables.js';
import type { ServiceVariable } from './service-variables.js';

const head = `# Made by \`npm run docs\` from the code. Copy it to .env, take away the # before what you want to change.
# All variables: docs/configuration.md`;

const toLines = ({ name, default: value, description }: GivenVariable) =>
  `# ${description.replaceAll('`', '')}\n#${name}=${value}`;

/** The variables that the launcher passes to services unchanged, each once. */
function handedOn(variables: readonly ServiceVariable[]): GivenVariable[] {
  const known = new Set([...setByLauncher, ...launcherVariables.map(({ name }) => name)]);
  return variables.flatMap(({ name, default: value = '', description }) => {
    if (known.has(name)) return [];
    known.add(name);
    return [{ name, default: value, description }];
  });
}

/** The text of `.env.example`: the variables that are useful with `npm start`. */
export function environmentExample(variables: readonly ServiceVariable[]): string {
  const lines = [...launcherVariables, ...handedOn(variables)].map(toLines);
  return `${[head, ...lines].join('\n\n')}\n`;
}
