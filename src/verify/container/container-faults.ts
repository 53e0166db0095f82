import type { AsicContainer, AsicFault } from '../../formats/asic/index.ts';
import type { Finding } from '../report.ts';

/** Rules on which it depends what a signature is over. */
const decisive: readonly AsicFault['code'][] = ['data.count', 'manifest.unexpected'];

/** The rules of ASiC that a container breaks; errors are those that leave open what is signed. */
export function containerFindings({ faults, signatureFiles }: AsicContainer): readonly Finding[] {
  const findings = faults.map(({ code, message }): Finding => {
    const severity = decisive.includes(code) ? 'error' : 'warning';
    return { code: `container.${code}`, severity, message };
  });
  const record = signatureFiles.find(({ type }) => type === 'evidence-record');
  if (record === undefined) return findings;
  const message = `the evidence record ${record.name} is not judged`;
  return [...findings, { code: 'container.evidence-record', severity: 'info', message }];
}
