import { InnsigliError } from '../../base/errors.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { SequenceView } from './create-sequence.ts';

/** The process of a company. @throws process.not_found also for a process of another company */
export async function requireProcess(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<SigningProcess> {
  const process = await unit.processes.find(asKey('process', key));
  if (process === undefined || process.companyKey !== companyKey) {
    throw new InnsigliError('process.not_found', `there is no process ${key.slice(0, 40)}`);
  }
  return process;
}

/** The sequence of a company. @throws process.not_found */
export async function requireSequence(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<Sequence> {
  const sequence = await unit.sequences.find(asKey('sequence', key));
  if (sequence?.companyKey === companyKey) return sequence;
  throw new InnsigliError('process.not_found', `there is no sequence ${key.slice(0, 40)}`);
}

/** As {@link requireSequence}, with its documents. */
export async function requireSequenceView(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<SequenceView> {
  const sequence = await requireSequence(unit, companyKey, key);
  return { sequence, processes: await unit.processes.findAll(sequence.processKeys) };
}
