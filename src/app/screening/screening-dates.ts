import { addMonths, type RiskLevel, usualComplianceRules } from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { StoreUnit } from '../ports/index.ts';

/** The months after which a person of each level of risk is screened again. */
export async function riskMonthsOf(
  unit: StoreUnit,
  companyKey: CompanyKey,
): Promise<Readonly<Record<RiskLevel, number>>> {
  const company = await unit.companies.find(companyKey);
  return (company?.compliance ?? usualComplianceRules).person.riskMonths;
}

/** When a person who was screened at `atMs` is due again, in epoch milliseconds. */
export function screenedAgainAtMs(atMs: number, months: number): number {
  const day = new Date(atMs).toISOString().slice(0, 10);
  return Date.parse(`${addMonths(day, months)}T00:00:00Z`);
}
