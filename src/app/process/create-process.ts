import { buildProcess } from '../../domain/process/index.ts';
import { operation } from '../operation.ts';
import { takeQuotas } from '../quota/index.ts';
import { writeConsequences } from '../service/index.ts';
import { prepareProcess, takenQuotas } from './new-process.ts';
import { requireNoPasscode } from './passcode.ts';
import { type CreatePorts, readProcessRequest } from './requests.ts';

/** Codes with which a new process or sequence is refused. */
export const createErrors = [
  'flow.not_found',
  '10101',
  'reminder.rule.invalid',
  'limit.exceeded',
  'pdf.notpdf',
  'flow.values.invalid',
  'quota.processes.exceeded',
  'quota.attachments.exceeded',
  'quota.storage.exceeded',
] as const;

/**
 * Takes a document for signature: process, log, events, invitations and jobs are written in one
 * transaction. A document that could not be sealed in the end is refused (`pdf.*`, `key.*`).
 */
export const create = operation(readProcessRequest, {
  errors: createErrors,
  run: async (ports: CreatePorts, companyKey, request) => {
    requireNoPasscode(request.signees);
    const nowMs = ports.now();
    const prepared = await prepareProcess(ports, companyKey, request, nowMs);
    const { process, consequences } = buildProcess(prepared, { nowMs });
    await ports.store.write(async (unit) => {
      await unit.processes.add(process);
      await writeConsequences(unit, ports, process, consequences, nowMs);
      await takeQuotas(unit, companyKey, takenQuotas([process]), nowMs, process.key);
    });
    return process;
  },
});
