import {
  type AsicContainer,
  asicMimeTypes,
  hasIrregularName,
  openDocumentManifestName,
} from '../../formats/asic/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';

/** Violations of the ASiC rules. Errors are those that make the signed content ambiguous. */
export function containerFindings(container: AsicContainer): readonly Finding[] {
  const { faults, signatureFiles, mimetype, otherFiles } = container;
  const findings = faults.map(({ code, message }) => buildFinding(`container.${code}`, message));
  if (container.dataFiles.length === 0) {
    const message = 'the container has no file that could be signed';
    findings.push(buildFinding('container.data.none', message));
  }
  const isXades = signatureFiles.some(({ type }) => type === 'xades');
  const manifest = container.archive.find(openDocumentManifestName);
  if (container.kind === 'asic-e' && isXades && manifest === undefined) {
    const message = `${openDocumentManifestName} is missing: nothing states the files`;
    findings.push(buildFinding('container.manifest.missing', message));
  }
  // Evidence records are not verified, whatever their name.
  const checked = signatureFiles.filter(({ type }) => type !== 'evidence-record');
  const odd = [...checked, ...container.manifests].find(({ name }) => hasIrregularName(name));
  if (odd !== undefined) {
    const message = `"${odd.name}" is in a folder or has a non-conforming name`;
    findings.push(buildFinding('container.file.letters', message));
  }
  const [stranger] = otherFiles;
  if (stranger !== undefined) {
    const more = otherFiles.length > 1 ? ` and ${otherFiles.length - 1} more` : '';
    const message = `no signature covers "${stranger.name}"${more}: not a file of the format`;
    findings.push(buildFinding('container.file.unknown', message));
  }
  const isOther = container.kind === 'asic-s' && mimetype !== asicMimeTypes['asic-s'];
  if (mimetype === undefined || (isOther && !faults.some(({ code }) => code === 'mimetype'))) {
    const said = mimetype === undefined ? 'mimetype is missing' : `mimetype is "${mimetype}"`;
    const message = `${said}: the type of container follows from its files`;
    findings.push(buildFinding('container.mimetype', message, 'info'));
  }
  const record = signatureFiles.find(({ type }) => type === 'evidence-record');
  if (record === undefined) return findings;
  const message = `the evidence record ${record.name} is not checked`;
  return [...findings, buildFinding('container.evidence-record', message)];
}
