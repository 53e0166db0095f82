import { defined } from '../../base/defined.ts';
import type { SignedProperties } from '../../formats/xades/index.ts';
import type { XmlSignatureReport } from '../report/index.ts';

/** Claims of the signer in a report, other than the signed data. */
export type SignerClaims = Pick<
  XmlSignatureReport,
  'claimedTime' | 'roles' | 'location' | 'commitments' | 'policy'
>;

/** Formats the claims of the signer for the report. @spec ETSI EN 319 132-1 §5.2 */
export function describeClaims(signed: SignedProperties | undefined): SignerClaims {
  if (signed === undefined) return {};
  const { signingTimeMs, claimedRoles, commitments, policy } = signed;
  const time = signingTimeMs === undefined ? undefined : isoOf(signingTimeMs);
  const location = describePlace(signed);
  return {
    ...defined({ claimedTime: time }),
    ...(claimedRoles.length === 0 ? {} : { roles: claimedRoles }),
    ...(location === '' ? {} : { location }),
    ...(commitments.length === 0 ? {} : { commitments }),
    ...defined({ policy: policy === undefined ? undefined : (policy.identifier ?? 'implied') }),
  };
}

function describePlace({ productionPlace: place }: SignedProperties): string {
  if (place === undefined) return '';
  const { streetAddress, city, stateOrProvince, postalCode, countryName } = place;
  return [streetAddress, city, stateOrProvince, postalCode, countryName]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

/** Undefined for a year outside the range of Date. */
function isoOf(timeMs: number): string | undefined {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
