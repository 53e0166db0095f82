import type { VerificationReport } from '../../verify/report/index.ts';
import { commonName, printable, type Style } from '../output/index.ts';

/** The requests sent for the status of certificates, with their results; empty without any. */
export function inquiryLines(
  { revocation }: Pick<VerificationReport, 'revocation'>,
  { green, red }: Style,
): readonly string[] {
  const { asked = [] } = revocation ?? {};
  if (asked.length === 0) return [];
  const lines = asked.map(({ certificate, source, answered, message }) => {
    const why = message === undefined ? '' : `: ${message}`;
    const said = printable(`${source}, of ${commonName(certificate)}${why}`);
    return `  ${answered ? green('✓') : red('✗')} ${said}`;
  });
  return ['Asked for revocation data:', ...lines];
}
