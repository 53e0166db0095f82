import type { ErrorCode } from '../../base/errors.ts';
import type { VerificationReport } from '../report.ts';

/** The code of a document that carries no signature; undefined when it carries one. */
export function noSignatureCode({
  format,
  signatures,
}: Pick<VerificationReport, 'format' | 'signatures'>): ErrorCode | undefined {
  if (signatures.length > 0) return undefined;
  if (format === 'pdf') return 'pdf.signature.none';
  return format === 'xml' ? 'xml.signature.none' : 'container.signature.none';
}
