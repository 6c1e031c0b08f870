import fc from 'fast-check';

/**
 * Property tests draw the same cases in every run, so that a failure is caused by the change under test.
 * `PROPERTY_SEED=random npm test` draws new cases; a number as the seed repeats a failed run.
 */
const { PROPERTY_SEED: wanted = '20261121' } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(wanted !== 'random' && { seed: Number(wanted) }) });
