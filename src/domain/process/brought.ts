import type { SigningProcess } from './process.ts';

/** The name of the customer who brought the document; undefined where the company sent it. */
export function broughtBy({
  policy,
  signees,
}: Pick<SigningProcess, 'policy' | 'signees'>): string | undefined {
  return policy.isBrought === true ? signees[0]?.name : undefined;
}
