/**
 * Property tests whose cases are the same in each run, so that a red run is red again: FC_SEED=N draws others.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? '20260302') });

export { fc };
