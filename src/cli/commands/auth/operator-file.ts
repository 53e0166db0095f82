import type { CompanyService } from '../../../app/company-service.ts';
import type { Customer, EidMethod } from '../../../domain/auth/index.ts';
import type { ServiceContext } from '../../context.ts';

/** Time for which an operator is remembered. */
export const operatorHours = 8;

/** Remembers who has logged in as operator of this data directory. */
export async function saveOperator(
  { auth, company }: CompanyService,
  method: EidMethod,
  { name }: Customer,
  { io, dataDir }: ServiceContext,
): Promise<void> {
  const { writeOperator } = await import('../../../wire/files/operator-session.ts');
  const facts = (await auth.methods()).find((each) => each.method === method);
  const loggedInAtMs = io.now();
  await writeOperator(dataDir, {
    ...{ name, companyKey: company.key, loggedInAtMs },
    method: `${method} ${facts?.provider ?? ''}`.trim(),
    isSimulated: facts?.isSimulated ?? true,
    expiresAtMs: loggedInAtMs + operatorHours * 3_600_000,
  });
}
