import { type InnsigliError, isInnsigliError } from './errors.ts';

/** What `work` gives, or what `instead` makes of an error of ours; any other one is thrown. */
export function attempt<Result, Instead>(
  work: () => Result,
  instead: (error: InnsigliError) => Instead,
): Result | Instead {
  try {
    return work();
  } catch (error) {
    if (isInnsigliError(error)) return instead(error);
    throw error;
  }
}
