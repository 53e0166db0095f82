import { createHash } from 'node:crypto';
import { type SealPdfRequest, sealPdf } from '../../../../src/app/documents/pdf/seal-pdf.ts';
import type { SealPorts } from '../../../../src/app/documents/seal-ports.ts';
import type { EidSignature, EidState } from '../../../../src/app/ports/index.ts';
import { equalBytes } from '../../../../src/base/bytes.ts';
import type { SignatureAlgorithm } from '../../../../src/formats/x509/index.ts';
import type { Signer } from '../../../../src/seal/ports.ts';
import { type CscBench, cscRequest } from './csc-bench.ts';

/** Ports of a pass except its signer; created for each pass, as in separate processes. */
export type PassPorts = () => Omit<SealPorts, 'signer'>;

type RemoteCertificates = readonly Uint8Array[];

function signerWith(
  [certificate, ...chain]: RemoteCertificates,
  algorithm: SignatureAlgorithm,
  sign: Signer['sign'],
): Signer {
  return { certificate: certificate as Uint8Array, chain, algorithm, sign };
}

/** First pass: the signed attributes for the document, without a signature. */
export async function captureSignedBytes(
  request: SealPdfRequest,
  ports: PassPorts,
  certificates: RemoteCertificates,
  algorithm: SignatureAlgorithm,
): Promise<Uint8Array> {
  let captured: Uint8Array | undefined;
  const signer = signerWith(certificates, algorithm, async (data) => {
    captured = new Uint8Array(data);
    throw new Error('captured');
  });
  const failure = await sealPdf(request, { ...ports(), signer }).catch((error: unknown) => error);
  if (captured === undefined) throw failure;
  return captured;
}

/**
 * Second pass: the document with the signature value, if the signed attributes are the same bytes.
 */
export function embedSignature(
  request: SealPdfRequest,
  ports: PassPorts,
  signature: EidSignature & { readonly delivery: 'raw' },
  signedBytes: Uint8Array,
) {
  const { algorithm, certificates, value } = signature;
  const { name: scheme, ...rest } = algorithm;
  const signer = signerWith(certificates, { scheme, ...rest }, async (data) => {
    if (!equalBytes(data, signedBytes)) throw new Error('the signed attributes differ');
    return value;
  });
  return sealPdf(request, { ...ports(), signer });
}

/** A signature of the remote key over signed attributes, by a whole session. */
export async function signRemotely(
  bench: CscBench,
  certificates: RemoteCertificates,
  signedBytes: Uint8Array,
): Promise<EidSignature & { readonly delivery: 'raw' }> {
  const { digest = 'sha256' } = bench.driver.signing ?? {};
  const order = {
    digest: createHash(digest).update(signedBytes).digest(),
    signedBytes,
    label: 'Agreement.pdf',
    certificates,
  };
  const { state } = await bench.driver.start(cscRequest(order), bench.environment);
  const stored = JSON.parse(JSON.stringify(state)) as EidState;
  const back = await bench.comeBack(stored);
  const answer = await bench.driver.poll(back, bench.environment);
  const signature = answer.status === 'complete' ? answer.signature : undefined;
  if (signature?.delivery !== 'raw') throw new Error(`no signature: ${JSON.stringify(answer)}`);
  return signature;
}
