import fc from 'fast-check';

/**
 * Property tests draw the same cases at every run, so that a change is never refused for what another one broke.
 * `PROPERTY_SEED=random npm test` goes looking for new ones, a number repeats what was found.
 */
const { PROPERTY_SEED: wanted = '20261121' } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(wanted !== 'random' && { seed: Number(wanted) }) });
