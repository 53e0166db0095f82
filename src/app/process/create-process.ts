import type { CompanyKey } from '../../domain/keys.ts';
import { buildProcess, type SigningProcess } from '../../domain/process/index.ts';
import { takeQuotas } from '../quota/index.ts';
import { writeConsequences } from '../service/index.ts';
import { readProcessRequest } from './check-request.ts';
import { prepareProcess, takenQuotas } from './new-process.ts';
import { requireNoPasscode } from './passcode.ts';
import type { CreatePorts, ProcessRequest } from './requests.types.ts';

/**
 * Takes a document for signature: process, log, events, invitations and jobs are written in one
 * transaction.
 *
 * @throws flow.not_found, 10101, validation.error, reminder.rule.invalid, limit.exceeded
 * @throws pdf.*, key.* when the document could not be sealed in the end
 */
export async function createProcess(
  ports: CreatePorts,
  companyKey: CompanyKey,
  given: ProcessRequest,
): Promise<SigningProcess> {
  const request = readProcessRequest(given);
  requireNoPasscode(request.signees);
  const nowMs = ports.now();
  const wish = await prepareProcess(ports, companyKey, request, nowMs);
  const { process, consequences } = buildProcess(wish, { nowMs });
  await ports.store.write(async (unit) => {
    await unit.processes.add(process);
    await writeConsequences(unit, ports, process, consequences, nowMs);
    await takeQuotas(unit, companyKey, takenQuotas([process]), nowMs, process.key);
  });
  return process;
}
