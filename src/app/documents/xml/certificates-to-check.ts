import { createDigest, equalBytes } from '../../../base/bytes.ts';
import type { Certificate, DigestAlgorithm } from '../../../formats/x509/index.ts';
import { type ImprintForm, timestampImprintPieces } from '../../../formats/xades/index.ts';
import { presentData, type XadesState } from '../../../seal/xades/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { fingerprintOf } from '../../../trust/signature.ts';
import { verifyTimestampToken } from '../../../trust/timestamp.ts';
import type { XmlCheckContext } from './check.ts';
import type { DatedCertificate, XmlSubjects } from './levels.ts';

/** Trust anchors, certificates and time for verifying the time-stamps of a signature. */
export type SubjectContext = Pick<XmlCheckContext, 'anchors' | 'pool' | 'nowMs'>;

/**
 * The certificates of an intact signature and of its valid time-stamps whose validation data the
 * archive level requires, each with its proved time.
 */
export function certificatesToCheck(state: XadesState, context: SubjectContext): XmlSubjects {
  const { pool, nowMs } = context;
  for (const der of presentData(state).certificates) pool.add(der);
  const authorities: DatedCertificate[] = [];
  let provedMs = nowMs;
  for (const property of state.properties.unsigned) {
    if (property.kind !== 'timestamp') continue;
    for (const token of property.timestamp.tokens) {
      const verdict = verifyTimestampToken({
        token,
        imprint: (digest) => imprintOf(state, property.timestamp, digest),
        ...context,
      });
      const { certificate, info, valid } = verdict;
      if (!valid || certificate === undefined || info === undefined) continue;
      authorities.push({ certificate, atMs: info.genTimeMs });
      if (!property.timestamp.kind.startsWith('refsOnly'))
        provedMs = Math.min(provedMs, info.genTimeMs);
    }
  }
  const certificate = findSigner(state, pool);
  const signers = certificate === undefined ? [] : [{ certificate, atMs: provedMs }];
  return { signers, authorities };
}

function imprintOf(
  state: XadesState,
  timestamp: ImprintForm,
  digest: DigestAlgorithm,
): Uint8Array | undefined {
  const hash = createDigest(digest);
  const answer = timestampImprintPieces({ ...state, timestamp }, (piece) => hash.update(piece));
  return 'covered' in answer ? hash.digest() : undefined;
}

/** The certificate referenced by the signed properties. */
function findSigner({ properties }: XadesState, pool: CertificatePool): Certificate | undefined {
  const [reference] = properties.signed?.signingCertificates ?? [];
  if (reference?.digest === undefined) return undefined;
  const { digest, digestValue } = reference;
  return pool.all.find((certificate) =>
    equalBytes(fingerprintOf(certificate, digest), digestValue),
  );
}
