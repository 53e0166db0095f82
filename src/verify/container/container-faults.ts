import {
  type AsicContainer,
  type AsicFault,
  asicMimeTypes,
  isOddlyWritten,
  openDocumentManifestName,
} from '../../formats/asic/index.ts';
import type { Finding } from '../report.ts';

/** Rules on which it depends what a signature is over. */
const decisive: readonly AsicFault['code'][] = [
  'mimetype',
  'data.count',
  'data.place',
  'manifest.unexpected',
];

/** The rules of ASiC that a container breaks; errors are those that leave open what is signed. */
export function containerFindings(container: AsicContainer): readonly Finding[] {
  const { faults, signatureFiles, mimetype, otherFiles } = container;
  const findings = faults.map(({ code, message }): Finding => {
    const severity = decisive.includes(code) ? 'error' : 'warning';
    return { code: `container.${code}`, severity, message };
  });
  if (container.dataFiles.length === 0) {
    const message = 'the container has no file that could be signed';
    findings.push({ code: 'container.data.none', severity: 'error', message });
  }
  const isXades = signatureFiles.some(({ type }) => type === 'xades');
  const manifest = container.archive.find(openDocumentManifestName);
  if (container.kind === 'asic-e' && isXades && manifest === undefined) {
    const message = `${openDocumentManifestName} is missing: nothing states the files`;
    findings.push({ code: 'container.manifest.missing', severity: 'error', message });
  }
  const odd = [...signatureFiles, ...container.manifests].find(({ name }) => isOddlyWritten(name));
  if (odd !== undefined) {
    const message = `«${odd.name}» is written in other letters than the format has`;
    findings.push({ code: 'container.file.letters', severity: 'error', message });
  }
  const [stranger] = otherFiles;
  if (stranger !== undefined) {
    const more = otherFiles.length > 1 ? ` and ${otherFiles.length - 1} more` : '';
    const message = `no signature covers «${stranger.name}»${more}: not a file of the format`;
    findings.push({ code: 'container.file.unknown', severity: 'warning', message });
  }
  const isOther = container.kind === 'asic-s' && mimetype !== asicMimeTypes['asic-s'];
  if (mimetype === undefined || (isOther && !faults.some(({ code }) => code === 'mimetype'))) {
    const said = mimetype === undefined ? 'mimetype is missing' : `mimetype is «${mimetype}»`;
    const message = `${said}: the type of container follows from its files`;
    findings.push({ code: 'container.mimetype', severity: 'info', message });
  }
  const record = signatureFiles.find(({ type }) => type === 'evidence-record');
  if (record === undefined) return findings;
  const message = `the evidence record ${record.name} is not checked`;
  return [...findings, { code: 'container.evidence-record', severity: 'info', message }];
}
