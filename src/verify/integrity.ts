/**
 * Whether digest and signature value hold, ready to be spread into a report. It is left out for a
 * signature with an algorithm that nothing here knows: such a signature was not refuted.
 */
export function describeIntegrity(verdict: {
  readonly intact: boolean;
  readonly subIndication?: string | undefined;
}): { readonly intact?: boolean } {
  const { intact, subIndication = '' } = verdict;
  return !intact && subIndication.startsWith('CRYPTO_') ? {} : { intact };
}
