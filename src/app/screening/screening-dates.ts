import { addMonths, type RiskLevel, usualComplianceRules } from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { StoreUnit } from '../ports/index.ts';

/** Number of months after which a person is screened again, by risk level. */
export async function riskMonthsOf(
  unit: StoreUnit,
  companyKey: CompanyKey,
): Promise<Readonly<Record<RiskLevel, number>>> {
  const company = await unit.companies.find(companyKey);
  return (company?.compliance ?? usualComplianceRules).person.riskMonths;
}

/** Time of the next screening of a person screened at `atMs`, in milliseconds since the epoch. */
export function screenedAgainAtMs(atMs: number, months: number): number {
  const day = new Date(atMs).toISOString().slice(0, 10);
  return Date.parse(`${addMonths(day, months)}T00:00:00Z`);
}
