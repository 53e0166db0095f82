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
  description: 'Sign an XML document, or any files in an ASiC container, as a seal does.',
  args: { '[inputs...]': 'XML to sign, or - for stdin; files, folders, patterns for a batch' },
  options: {
    '-o, --output <file>': 'result, or - for stdout (default: NAME.sealed.xml)',
    '--in-place': 'replace the input: a document, or a container that is signed again',
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
    'An enveloped signature (the default) is put at the end of the root element, and nothing ' +
      'else changes: the result without it is the input, byte for byte. It leaves out all ' +
      'signatures of the document, so that others can sign after it; --transform enveloped ' +
      'leaves out itself only, for programs that know nothing else, and then others cannot.',
    'An e-invoice in UBL gets it into an extension, the place that its schemas have for it.',
    'An enveloping signature holds the document; a detached one is a file of its own ' +
      'and names the documents. A container holds documents and signature: asic-s one ' +
      'document, asic-e any number. Both take files of any kind, and several at once; a batch ' +
      'makes one container of each, FILE.asice or FILE.asics. A container that is the input ' +
      'gets another signature, as a PDF does.',
    revocationHelp,
    algorithmHelp,
    ...batchHelp,
  ],
  examples: {
    'innsigli seal-xml invoice.xml': 'sign to B-LTA with the development key',
    'innsigli seal-xml a.xml --level b-b --id body': 'sign one element',
    'innsigli seal-xml a.xml --packaging detached -o a.sig.xml': 'leave the document alone',
    'innsigli seal-xml --detached net.xml=tmp/1.xml': 'signed as net.xml, independent of its path',
    'innsigli seal-xml ab.asice --in-place': 'one more signature in a container',
    'innsigli seal-xml a.pdf b.csv --container asic-e -o ab.asice': 'sign two files together',
    'innsigli seal-xml invoices --out-dir signed --resume': 'a folder',
    'innsigli seal-xml files --container asic-s --out-dir boxes': 'each file in one of its own',
  },
  exits: {
    0: 'signed, verified and written',
    1: 'a file cannot be read or written',
    2: 'wrong usage, or the output exists',
    3: 'several documents, and some failed',
    4: 'a password is missing or wrong',
    5: 'there is no such file',
    6: 'another signature would break an earlier one, or another batch is at work',
    7: 'the document cannot be signed: not well-formed, not UTF-8, with a DTD',
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
      refuseUsage('one signature over several files is no batch: name them');
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
