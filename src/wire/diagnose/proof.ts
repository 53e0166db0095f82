import { requireUsableSigner } from '../../app/documents/check-signer.ts';
import {
  endingSoon,
  findUnacceptedAlgorithm,
  listSignerEnds,
  listStampEnds,
} from '../../app/documents/proof-end.ts';
import { defined } from '../../base/defined.ts';
import { loadAlgorithmTable } from '../files/algorithm-policy.ts';
import { anchorsOf, worksWithTestKeys } from '../parties/trust.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { reasons, skipped } from './skipped.ts';

/**
 * Says until when certificates and algorithms of the key, and of the authority where it was asked,
 * prove something; warns of an end that is near.
 */
export async function checkProof(examination: Examination): Promise<Outcome> {
  const { config, io, development, signer: found, anchors: configured, stamp } = examination;
  if (found === undefined) return skipped(reasons.noKey);
  const { signer } = found;
  const table = await loadAlgorithmTable(config.algorithmPolicy);
  const isAtWork = worksWithTestKeys(config, config.level);
  const anchors = await anchorsOf(configured ?? [], development, signer.chain, isAtWork);
  const nowMs = io.now();
  const { path } = requireUsableSigner({ signer, anchors, algorithms: table }, nowMs);
  const ends = [
    ...listSignerEnds(signer, path, nowMs, table),
    ...(stamp === undefined ? [] : listStampEnds(stamp, nowMs, table)),
  ].sort((one, other) => one.endMs - other.endMs);
  const soon = endingSoon(ends, nowMs);
  const unaccepted = findUnacceptedAlgorithm(signer);
  const [first] = ends;
  const until = first && new Date(first.endMs).toISOString().slice(0, 10);
  const told = [...new Set(soon.map(({ message }) => message))];
  if (unaccepted !== undefined) told.push(unaccepted);
  if (told.length > 0) {
    const hint =
      'get keys and certificates that last longer, and archive documents signed with these';
    return { status: 'warning', message: told.join('; '), ...defined({ until }), hint };
  }
  if (until === undefined) return { status: 'ok', message: 'no end is known' };
  return { status: 'ok', message: `until ${until}: ${first?.message}`, until };
}
