import type { Command } from 'commander';
import {
  addBatchOptions,
  batchHelp,
  meansBatch,
  type ParsedBatchOptions,
  readBatchOptions,
  requireInput,
} from '../../batch-options.ts';
import { documentCommand } from '../../command-doc.ts';
import { refuseUsage, type Start } from '../../context.ts';
import {
  addKeyOptions,
  addTimestampOptions,
  addTrustOptions,
  digestOption,
  levelOption,
  revocationHelp,
  type SettingOptions,
  settingsFrom,
} from '../../options.ts';
import {
  addXmlOptions,
  isOverFiles,
  meansXml,
  type ParsedXmlOptions,
  readXmlOptions,
} from '../../xml-options.ts';

interface ParsedOptions extends SettingOptions, ParsedXmlOptions, ParsedBatchOptions {
  readonly output?: string;
}

/** Adds `seal-xml` to the command tree. */
export function defineSealXml(program: Command, start: Start): void {
  const command = program
    .command('seal-xml')
    .summary('sign XML (XAdES B-B … B-LTA), or any files in a container')
    .description('Sign an XML document, or any files in an ASiC container, as a seal does.')
    .argument('[inputs...]', 'XML to sign, or - for stdin; files, folders, patterns for a batch')
    .option('-o, --output <file>', 'result, or - for stdout (default: NAME.sealed.xml)')
    .option('--in-place', 'replace the input: a document, or a container that is signed again')
    .option('-f, --force', 'replace an existing output')
    .addOption(levelOption())
    .addOption(digestOption());
  addTrustOptions(addTimestampOptions(addKeyOptions(addXmlOptions(command))));
  addBatchOptions(command, 'seal-xml');
  describe(command);
  command.action((inputs: string[], options: ParsedOptions, self: Command) =>
    start(self, async (context) => {
      const seal = await readXmlOptions(options, context.io.cwd);
      const { container, detached = [], output } = options;
      const form = options.cades === true ? { form: 'cades' as const } : {};
      const kind = container === undefined ? {} : { container };
      const isOne = isOverFiles(options);
      const isBatch = meansBatch(inputs, options, context.io.cwd);
      if (isOne && isBatch && container === undefined) {
        refuseUsage('one signature over several files is no batch: name them');
      }
      if (isBatch || (inputs.length > 1 && !isOne)) {
        const { runBatch } = await import('../../batch/index.ts');
        const wishes = { sealXml: seal, isXml: meansXml(options), ...kind, ...form };
        return runBatch(readBatchOptions('seal-xml', inputs, options, wishes), context);
      }
      if (detached.length === 0) requireInput(inputs);
      const { runSealXml } = await import('./seal-xml-run.ts');
      const settings = settingsFrom(options);
      const flags = { inPlace: options.inPlace === true, force: options.force === true };
      const place = output === undefined ? flags : { ...flags, output };
      const what = { inputs, detached, seal, isOverFiles: isOne, isXml: meansXml(options) };
      return runSealXml({ ...what, ...place, ...kind, ...form, settings }, context);
    }),
  );
}

function describe(command: Command): void {
  documentCommand(command, {
    text: [
      'An enveloped signature (the default) is put at the end of the root element, and nothing ' +
        'else changes: the result without it is the input, byte for byte. It leaves out all ' +
        'signatures of the document, so that others can sign after it; --transform enveloped ' +
        'leaves out itself only, for programs that know nothing else, and then nobody can.',
      'An e-invoice in UBL gets it into an extension, the place that its schemas have for it.',
      'An enveloping signature holds the document; a detached one stands in a file of its own ' +
        'and names the documents. A container holds documents and signature: asic-s one ' +
        'document, asic-e any number. Both take files of any kind, and several at once; a batch ' +
        'makes one container of each, FILE.asice or FILE.asics. A container that is the input ' +
        'gets another signature, as a PDF does.',
      revocationHelp,
      ...batchHelp,
    ],
    examples: [
      ['innsigli seal-xml invoice.xml', 'sign to B-LTA with the development key'],
      ['innsigli seal-xml a.xml --level b-b --id body', 'sign one element'],
      ['innsigli seal-xml a.xml --packaging detached -o a.sig.xml', 'leave the document alone'],
      ['innsigli seal-xml --detached net.xml=tmp/1.xml', 'signed as net.xml, whatever its path'],
      ['innsigli seal-xml ab.asice --in-place', 'one more signature in a container'],
      ['innsigli seal-xml a.pdf b.csv --container asic-e -o ab.asice', 'sign two files together'],
      ['innsigli seal-xml invoices --out-dir signed --resume', 'a folder'],
      ['innsigli seal-xml files --container asic-s --out-dir boxes', 'each file in one of its own'],
    ],
    exits: [
      [0, 'signed, verified and written'],
      [1, 'a file cannot be read or written'],
      [2, 'wrong usage, or the output exists'],
      [3, 'several documents, and some failed'],
      [4, 'a password is missing or wrong'],
      [5, 'there is no such file'],
      [6, 'another signature would break an earlier one, or another batch is at work'],
      [7, 'the document cannot be signed: not well-formed, not UTF-8, with a DTD'],
      [8, 'the time-stamp authority or the network failed'],
      [10, 'key, certificate or configuration problem'],
      [130, 'interrupted'],
    ],
  });
}
