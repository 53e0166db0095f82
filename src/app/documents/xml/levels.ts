import { defined } from '../../../base/defined.ts';
import { reachesLevel, type SealLevel } from '../../../base/level.ts';
import { getOrCompute } from '../../../base/memo.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import { parseXml } from '../../../formats/xml/index.ts';
import type { RevocationSource } from '../../../seal/ports.ts';
import type { TimestampContext } from '../../../seal/timestamp-client.ts';
import { collectValidationData } from '../../../seal/validation-data.ts';
import {
  appendProperties,
  applyEdits,
  missingData,
  newId,
  openXades,
  presentData,
  type SignatureSurroundings,
  stampXades,
  timestampDataText,
  unsignedNames,
  validationValuesText,
  type XadesState,
} from '../../../seal/xades/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { type ArchivePorts, checkContext, requireRevocation } from '../seal-ports.ts';

/** A certificate whose validation data is needed, and the time at which it must have been valid. */
export interface DatedCertificate {
  readonly certificate: Certificate;
  readonly atMs: number;
}

/** Dependencies of the steps above B-B. */
export interface RaiseContext {
  readonly ports: ArchivePorts;
  readonly pool: CertificatePool;
  /** Undefined for B-B. */
  readonly timestamps: TimestampContext | undefined;
}

/**
 * Augments a new signature, given as the ds:Signature alone, to a level.
 *
 * @throws tsa.*, revocation.*, certificate.*, network.*
 * @spec ETSI EN 319 132-1 §6.3
 */
export async function raiseSignature(
  bytes: Uint8Array,
  surroundings: SignatureSurroundings,
  level: SealLevel,
  signer: DatedCertificate,
  { ports, pool, timestamps }: RaiseContext,
): Promise<Uint8Array> {
  if (timestamps === undefined) return bytes;
  let state = openAlone(bytes, surroundings);
  let current = bytes;
  const append = (text: string) => {
    current = applyEdits(current, [appendProperties(state, text)]);
    state = openAlone(current, surroundings);
  };
  const { text, verdict } = await stampXades(state, 'signature', timestamps);
  append(text);
  if (!reachesLevel(level, 'B-LT')) return current;
  const { atMs } = signer;
  const authorities =
    verdict.certificate === undefined ? [] : [{ certificate: verdict.certificate, atMs }];
  append(await validationText(state, { signers: [signer], authorities }, ports, pool));
  if (level === 'B-LTA') append((await stampXades(state, 'archive141', timestamps)).text);
  return current;
}

function openAlone(bytes: Uint8Array, surroundings: SignatureSurroundings): XadesState {
  const { root } = parseXml(bytes);
  return openXades(root, { document: root.document, ...surroundings });
}

/** The certificates of a signature whose validation data is needed. */
export interface XmlSubjects {
  readonly signers: readonly DatedCertificate[];
  /** Certificates of its time-stamp authorities. */
  readonly authorities: readonly DatedCertificate[];
}

/**
 * Returns the validation data that the signature does not have yet, as text of unsigned properties;
 * empty if it has all. The data of the signer is put into CertificateValues and RevocationValues,
 * or, if those exist already or an archive time-stamp covers the preceding properties, together
 * with the data of the authorities into TimeStampValidationData.
 *
 * @throws certificate.untrusted, certificate.revoked, revocation.missing, network.*
 * @spec ETSI EN 319 132-1 §5.4, §5.5.1
 */
export async function validationText(
  state: XadesState,
  { signers, authorities }: XmlSubjects,
  ports: ArchivePorts,
  pool: CertificatePool,
  useStored = false,
): Promise<string> {
  const { random } = ports;
  const present = presentData(state);
  const context = {
    ...checkContext(ports, pool),
    revocation: remembering(requireRevocation(ports)),
    ...(useStored ? { present } : {}),
  };
  const stored = [...present.certificates, ...present.crls, ...present.ocsp];
  const own = missingData(await collectValidationData(signers, context), stored);
  stored.push(...own.certificates, ...own.crls, ...own.ocsp);
  const further = missingData(await collectValidationData(authorities, context), stored);
  const names = unsignedNames(state);
  const dataText = (data: typeof own) => timestampDataText(names, newId('tsvd', random), data);
  if (!hasValues(state)) return validationValuesText(names, own) + dataText(further);
  return dataText({
    certificates: [...own.certificates, ...further.certificates],
    crls: [...own.crls, ...further.crls],
    ocsp: [...own.ocsp, ...further.ocsp],
  });
}

function hasValues({ properties }: XadesState): boolean {
  return properties.unsigned.some(
    (property) =>
      property.kind === 'certificateValues' ||
      property.kind === 'revocationValues' ||
      (property.kind === 'timestamp' && property.timestamp.kind.startsWith('archive')),
  );
}

/** A source that queries each certificate once: signer and authority often share issuers. */
function remembering(source: RevocationSource): RevocationSource {
  const answers = new Map<Certificate, ReturnType<RevocationSource['find']>>();
  const { atHand } = source;
  return {
    ...defined({ atHand }),
    find: (certificate, issuer) =>
      getOrCompute(answers, certificate, () => source.find(certificate, issuer)),
  };
}
