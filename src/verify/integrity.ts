/**
 * Results of the checks of digest and signature value, as members of a report. They are omitted for
 * a signature with an unknown algorithm, which is not refuted.
 */
export function describeIntegrity(verdict: {
  readonly intact: boolean;
  readonly subIndication?: string | undefined;
}): { readonly intact?: boolean } {
  const { intact, subIndication = '' } = verdict;
  return !intact && subIndication.startsWith('CRYPTO_') ? {} : { intact };
}
