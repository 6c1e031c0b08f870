/** The steps of the welcome, in order. */
export const steps = ['place', 'birds', 'notify'] as const;

/** One of {@link steps}. */
export type Step = (typeof steps)[number];

/** Search parameters of the welcome. */
export interface WelcomeSearch {
  readonly step?: Step;
}

/** Validates search parameters; an unknown step is dropped. */
export function welcomeSearch({ step }: Record<string, unknown>): WelcomeSearch {
  const known = steps.find((one) => one === step);
  return known === undefined ? {} : { step: known };
}
