import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../../base/level.ts';
import {
  type AsicContainer,
  type AsicKind,
  asicMimeTypes,
  buildAsic,
  buildOpenDocumentManifest,
  mimeTypeOfName,
  namesInUse,
  openDocumentManifestName,
  readAsic,
} from '../../../formats/asic/index.ts';
import { foreignNameFault, readZip, updateZip } from '../../../formats/zip/index.ts';
import type { XadesClaims } from '../../../seal/xades/index.ts';
import {
  type CheckedSignature,
  examineContainer,
  reportOnContainer,
} from '../../../verify/container/index.ts';
import type { ContainerVerificationReport } from '../../../verify/report/index.ts';
import { sealRules } from '../check-result.ts';
import { prepareParty, type SigningParty } from '../check-signer.ts';
import { timestampContext } from '../long-term-steps.ts';
import { sealedUntil } from '../proof-end.ts';
import { checkContext, type SealPorts } from '../seal-ports.ts';
import type { SealedDocument } from '../sealed-document.ts';
import type { FileObject } from '../xml/request.ts';
import { addArchiveStamp } from './archive-stamp.ts';
import { intactInContainer, requireContainerSurvival, requireMade } from './check.ts';
import { givenContainer, packed, requireContents, requireExtensible } from './input.ts';
import { type ContainerPlan, type ContainerSignature, signInContainer } from './signature.ts';

/** Options of a sealed container. */
export interface SealContainerRequest extends XadesClaims {
  /** Data files, or one ASiC container to which a signature is added. */
  readonly files: readonly FileObject[];
  readonly container: AsicKind;
  /** Format of the signature. A container with signatures keeps theirs. */
  readonly format: 'xades' | 'cades';
  readonly level: SealLevel;
}

/**
 * Puts files and a signature over all of them into an ASiC container, or adds a signature to an
 * existing one. Augments the seal to the level, and verifies the result, including earlier
 * signatures, before returning it. In an existing container only the file that the signature joins
 * changes.
 *
 * @throws usage.invalid if the files do not form a container of the kind
 * @throws container.* if the existing container is not valid
 * @throws key.*, algorithm.unsupported if the signer may not or cannot sign
 * @throws tsa.*, revocation.*, certificate.*, network.* if the level cannot be reached
 * @throws container.signature.broken if an earlier signature would not survive
 * @throws seal.selfcheck.failed if the result does not verify
 */
export function sealContainer(
  request: SealContainerRequest,
  given: SealPorts,
): Promise<SealedDocument<ContainerVerificationReport>> {
  return sealedUntil(given, async (ports) => {
    const { level } = request;
    const party = prepareParty(level, ports);
    const { pool } = party;
    const warnings: string[] = [];
    const target = prepareTarget(request, party, ports, warnings);
    const made = await signInContainer(target.plan, party, ports);
    let bytes = target.write(made);
    if (level === 'B-LTA' && target.plan.format === 'cades' && target.plan.container === 'asic-e') {
      const timestamps = timestampContext(ports, pool, level);
      bytes = await addArchiveStamp(readAsic(readZip(bytes)), timestamps, target);
    }
    const result = examineContainer(bytes, { ...checkContext(ports, pool), revocation: sealRules });
    requireContainerSurvival(result, target.earlier);
    requireMade(result, made.file, level);
    const report = reportOnContainer(result);
    const whole = { bytes, keptBytes: 0, tail: bytes };
    return { ...whole, level, report, warnings, ...defined({ signatureId: made.id }) };
  });
}

/** Destination of the signature. */
interface Target {
  readonly plan: ContainerPlan;
  /** Signatures that must survive. */
  readonly earlier: readonly CheckedSignature[];
  /** Earlier signature files that must be augmented before they can be archived. */
  readonly open: ReadonlySet<string>;
  write(made: ContainerSignature): Uint8Array;
}

function prepareTarget(
  request: SealContainerRequest,
  party: SigningParty,
  ports: SealPorts,
  warnings: string[],
): Target {
  const container = givenContainer(request.files);
  if (container === undefined) {
    warnings.push(...foreignNames(request.files));
    return newTarget(request, party);
  }
  requireExtensible(container, request.container);
  return furtherTarget(container, request, party, ports, warnings);
}

/** Warnings about names that other systems cannot unpack; being signed, they are not changed. */
function foreignNames(files: readonly FileObject[]): readonly string[] {
  return files.flatMap(({ name }) => {
    const fault = foreignNameFault(name);
    return fault === undefined ? [] : [`the file name "${name}" ${fault}`];
  });
}

function newTarget(request: SealContainerRequest, { nowMs }: SigningParty): Target {
  const { files, container: kind, format: form, level, ...claims } = request;
  requireContents(files, kind);
  const listed = files.map(({ name, mimeType = mimeTypeOfName(name) }) => ({ name, mimeType }));
  const manifest = {
    name: openDocumentManifestName,
    bytes: buildOpenDocumentManifest(asicMimeTypes[kind], listed),
  };
  // Only OpenDocument readers need it, and only in an ASiC-E with XAdES.
  const further = kind === 'asic-e' && form === 'xades' ? [manifest] : [];
  const taken = files.map(({ name }) => name);
  return {
    plan: {
      container: kind,
      format: form,
      level,
      claims,
      dataFiles: files,
      taken,
      find: () => undefined,
    },
    earlier: [],
    open: new Set(),
    write: ({ metaFiles }) =>
      buildAsic({
        kind,
        dataFiles: files.map(packed),
        metaFiles: [...further, ...metaFiles],
        modified: new Date(nowMs),
      }),
  };
}

function furtherTarget(
  container: AsicContainer,
  request: SealContainerRequest,
  { pool, nowMs }: SigningParty,
  ports: SealPorts,
  warnings: string[],
): Target {
  const { files: _, container: kind, level, format: wanted, ...claims } = request;
  const { archive } = container;
  const examined = examineContainer(archive.bytes, {
    ...checkContext(ports, pool, nowMs),
    revocation: sealRules,
  });
  const earlier = intactInContainer(examined, warnings);
  const form = signatureForm(container, wanted);
  if (form !== wanted)
    warnings.push(`the new signature has the format of the existing ones: ${form}`);
  const { contents } = examined.opened;
  const dataFiles = container.dataFiles.map(({ name }) => ({
    name,
    content: contents.read(name) as Uint8Array,
  }));
  const { taken } = namesInUse(container);
  return {
    plan: { container: kind, format: form, level, claims, dataFiles, taken, find: contents.read },
    earlier,
    open: openFiles(examined.checked),
    write: ({ metaFiles }) =>
      updateZip(archive, { files: metaFiles }, { modified: new Date(nowMs) }),
  };
}

/** Files with a signature below B-LT: an archive time-stamp would prevent augmenting them. */
function openFiles(checked: readonly CheckedSignature[]): ReadonlySet<string> {
  const below = checked.filter(
    ({ role, report }) => role === 'signature' && !reachesLevel(report.level, 'B-LT'),
  );
  return new Set(below.map(({ file }) => file));
}

/**
 * The format for a further signature: a container has signatures of one format.
 *
 * @throws container.invalid if no signature can be added
 */
function signatureForm({ signatureFiles, kind }: AsicContainer, wanted: 'xades' | 'cades') {
  const types = new Set(signatureFiles.map(({ type }) => type));
  if (types.size === 0 || (types.has('xades') && types.has('cades'))) return wanted;
  if (types.has('xades')) return 'xades';
  if (types.has('cades') || kind === 'asic-e') return 'cades';
  const message = 'the ASiC-S has no signature to which another can be added';
  const hint = 'extract the document and seal it in a new container';
  throw new InnsigliError('container.invalid', message, { hint });
}
