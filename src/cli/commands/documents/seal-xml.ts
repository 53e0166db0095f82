import { command } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import {
  algorithmHelp,
  batchHelp,
  batchOptions,
  batchResultOptions,
  digestOption,
  isOverFiles,
  keyOptions,
  levelOption,
  meansBatch,
  meansXml,
  namedAlgorithmPolicyOption,
  readBatchOptions,
  readXmlOptions,
  requireInput,
  revocationHelp,
  settingsFrom,
  timestampOptions,
  trustOptions,
  xmlOptions,
} from '../../options/index.ts';

/** Signs XML, or files in containers, one by one or in a batch. */
export const sealXml = command('seal-xml', {
  description: 'Seal an XML document with XAdES, or any files in an ASiC container.',
  args: { '[inputs...]': 'XML to sign, or - for stdin; files, folders or patterns for a batch' },
  options: {
    '-o, --output <file>': 'output file, or - for stdout (default: NAME.sealed.xml)',
    '--in-place': 'replace the input, a document or an existing container',
    '-f, --force': 'replace an existing output',
    ...levelOption,
    ...digestOption,
    ...xmlOptions,
    ...keyOptions,
    ...timestampOptions,
    ...trustOptions,
    ...namedAlgorithmPolicyOption,
    ...batchOptions,
    ...batchResultOptions,
  },
  help: [
    'An enveloped signature (the default) is added at the end of the root element; nothing ' +
      'else changes: without it the result equals the input, byte for byte. It excludes all ' +
      'signatures of the document, so that others can sign later; --transform enveloped ' +
      'excludes only itself, for programs that support nothing else; then others cannot.',
    'In a UBL e-invoice the signature goes into the extension that UBL provides for it.',
    'An enveloping signature contains the document; a detached one is a separate file ' +
      'that refers to the documents. A container holds documents and signature: asic-s one ' +
      'document, asic-e any number. Both accept files of any type; a batch ' +
      'creates one container per file, FILE.asice or FILE.asics. If the input is a container, it ' +
      'gets an additional signature, as a PDF does.',
    revocationHelp,
    algorithmHelp,
    ...batchHelp,
  ],
  examples: {
    'innsigli seal-xml invoice.xml': 'sign to B-LTA with the development key',
    'innsigli seal-xml a.xml --level b-b --id body': 'sign one element',
    'innsigli seal-xml a.xml --packaging detached -o a.sig.xml': 'leave the document unchanged',
    'innsigli seal-xml --detached net.xml=tmp/1.xml': 'signed as net.xml, independent of its path',
    'innsigli seal-xml ab.asice --in-place': 'add a signature to a container',
    'innsigli seal-xml a.pdf b.csv --container asic-e -o ab.asice': 'sign two files together',
    'innsigli seal-xml invoices --out-dir signed --resume': 'a folder',
    'innsigli seal-xml files --container asic-s --out-dir boxes': 'one container per file',
  },
  exits: {
    0: 'signed, verified and written',
    1: 'a file cannot be read or written',
    2: 'invalid usage, or the output exists',
    3: 'some of several documents failed',
    4: 'a password is missing or incorrect',
    5: 'no such file',
    6: 'another signature would invalidate an earlier one, or another batch is running',
    7: 'the document cannot be signed: not well-formed, not UTF-8, or with a DTD',
    8: 'the time-stamp authority or the network failed',
    10: 'key, certificate or configuration problem',
    130: 'interrupted',
  },
  run: async ({ inputs, ...options }, context) => {
    const seal = await readXmlOptions(options, context.io.cwd);
    const { container, detached = [], output, inPlace = false, force = false } = options;
    const form = options.cades ? ('cades' as const) : undefined;
    const isXml = meansXml(options);
    const isOne = isOverFiles(options);
    const isBatch = meansBatch(inputs, options, context.io.cwd);
    if (isOne && isBatch && container === undefined) {
      refuseUsage('one signature over several files cannot be a batch: name the files');
    }
    if (isBatch || (inputs.length > 1 && !isOne)) {
      const { runBatch } = await import('../../batch/index.ts');
      const request = { sealXml: seal, isXml, container, form };
      return runBatch(readBatchOptions('seal-xml', inputs, options, request), context);
    }
    if (detached.length === 0) requireInput(inputs);
    const { runSealXml } = await import('./seal-xml-run.ts');
    const what = { inputs, detached, seal, isOverFiles: isOne, isXml, container, form };
    const settings = settingsFrom(options);
    return runSealXml({ ...what, output, inPlace, force, settings }, context);
  },
});
