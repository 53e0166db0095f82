import type { CompanyService } from '../../../app/company-service.ts';
import { refusalError } from '../../../app/service/index.ts';
import type { SigneeRef } from '../../../app/signing/index.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import {
  type SignatureType,
  type Signee,
  type SigningProcess,
  signedRule,
} from '../../../domain/process/index.ts';
import { commandLine, nextLine } from '../../advice.ts';
import { command, confirm, type Given, readOptionFile } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { eidWords, failureExit, failureText } from '../../eid/index.ts';
import { printable, shownName } from '../../output/index.ts';
import { processDocument, processLines } from '../../process-report/index.ts';
import { eidOptions, logInSignee, signQualified } from './sign-eid.ts';

const options = {
  '--view <file>': 'write the document first, exactly as it is signed',
  '-y, --yes': 'ClickToSign: sign without asking',
  '--code-file <file>': 'Simple: file with the one-time code, or - for stdin; with --token',
  '--token <token>': 'Simple: token of the code, as printed when it was sent',
  ...eidOptions,
  '--decline': 'refuse to sign, which ends the process; with --reason',
  '--reason <text>': 'reason, for the owner and the log; with --decline',
} as const;

type SignOptions = Given<object, typeof options>;

/** Signs, or sends a code and explains how to continue. */
export const sign = command('sign', {
  description: 'Sign a document as one of its signees, in the way that the process asks for.',
  args: { '<process>': 'key of the process', '<signee>': 'key of the signee' },
  options,
  help: [
    'ClickToSign asks for confirmation. Simple sends a one-time code by text message and ' +
      'asks for it; without a terminal it prints a token, with which --code-file signs later. ' +
      'Qualified signs with the certificate of the signee, which an e-ID provider holds. Without ' +
      'a provider a simulator answers: its certificates are for tests. If the process requires ' +
      'a login, --sim or --app is used for that too. Ctrl-C cancels it at the provider and ' +
      'releases the document.',
    'The person who logs in or signs must be the signee: by national number or phone, if one ' +
      'is known, else by name or by signeeIdentity of the flow. No person is two signees.',
    'Test persons of the simulator: --sim 6666666 or --app 6000101994; with a SIM only 3333333 ' +
      '(6000101991), 5555555 (6000101993), 7777777 (6000101995), 9999999 (6000101997); with ' +
      'the app only 5000101886 (1111111), 6000101990 (2222222), 6000101992 (4444444), ' +
      '6000101996 (8888888). With both 0103901099 (0100010) and 0303901459 (0100019, no ' +
      'meter) answer, 0103901179 (0100011) cancels, 0103901419 (0100014) never answers, ' +
      '0203901669 (0100016) is too late, 0203901749 (0100017) fails, 0103901849 (0100018) ' +
      'does not start, 0203901589 (0100015) is another person. Other numbers are refused ' +
      'unless simulatedPersons is any. Of +11111111111 to +16666666666 any code is right; ' +
      '+17777777777, +18888888888 and +19999999999 refuse it. Signatures and logins of test ' +
      'persons say TEST. In production there are none.',
    '--decline works if the flow permits it: innsigli flow update FLOW --set mayDecline=true.',
  ],
  examples: {
    'innsigli sign sp12… si34… --yes': 'sign with a click',
    'innsigli sign sp12… si34… --sim 6666666': 'sign with an e-ID on a SIM',
    'innsigli sign sp12… si34… --qualified --eid-se': 'sign with a Swedish e-ID, by QR code',
    'innsigli sign sp12… si34… --decline --reason "wrong sum"': 'refuse to sign',
    'echo 123456 | innsigli sign sp12… si34… --token T --code-file -': 'with a code',
  },
  exits: {
    0: 'signed, or declined',
    2: 'an option is missing or wrong',
    4: 'the code is wrong, or another person has answered',
    5: 'no such process or signee',
    6: 'signed already, not the turn, locked, expired, cancelled, blocked, or no answer in time',
    7: 'the person or the provider of the e-ID has refused or cancelled it',
    8: 'the provider of the e-ID cannot be reached',
    9: 'a code was sent; sign again with it',
    130: 'interrupted: it was cancelled, and the document is free for others',
  },
  call: async (service, { process: processKey, signee: signeeKey, ...given }, context) => {
    const place = { processKey, signeeKey };
    const process = await service.processes.show({ key: processKey });
    const signee = process.signees.find(({ key }) => key === signeeKey);
    if (signee === undefined) {
      throw new InnsigliError('error.signee.not_found', `${processKey} has no signee ${signeeKey}`);
    }
    requireFitting(signee.signatureType, process.requiresAuth, given);
    const refusal = given.view === undefined ? undefined : signedRule(process, signee);
    if (refusal !== undefined) throw refusalError(refusal, context.io.now());
    if (needsLogin(process, signee, given)) {
      const refused = await logInSignee(service, place, given, context);
      if (refused !== undefined) return refused;
    }
    if (given.decline) return service.signing.decline(place, given.reason ?? '');
    if (given.view !== undefined) await writeView(service, place, given.view, context);
    const subject = `${process.fileName} as ${signee.name}`;
    if (signee.signatureType === 'ClickToSign') {
      await confirm(given.yes, `Sign ${subject}?`, context, 'not signed');
      return context.console.busy('Signing', () => service.signing.signByClick(place));
    }
    return signee.signatureType === 'Simple'
      ? signWithCode(service, place, subject, given, context)
      : signQualified(service, place, signingBy(process, given), context);
  },
  document: (outcome) => ('key' in outcome ? { process: processDocument(outcome) } : outcome),
  text: async (outcome, { console, io }, { decline }) => {
    if ('token' in outcome) return console.result(outcome.token);
    if ('hint' in outcome) {
      const { red } = await console.style('stderr');
      const why = failureText(eidWords(io.env), outcome.hint);
      return console.note(`${red('✗')} not signed: ${why} (${printable(outcome.hint)})`);
    }
    const { green } = await console.style('stderr');
    console.note(`${green('✓')} ${decline ? 'declined' : 'signed'}`);
    console.result(processLines(outcome, await console.style('stdout')));
  },
  exit: (outcome) => {
    if ('hint' in outcome) return failureExit(outcome.hint);
    return 'token' in outcome ? 9 : 0;
  },
});

/** With a foreign e-ID option, a number is for the login before the signature. */
function signingBy({ requiresAuth }: SigningProcess, given: SignOptions): SignOptions {
  const isForeign = given.eidSe === true || given.eidDk === true;
  return requiresAuth && isForeign ? { ...given, sim: undefined, app: undefined } : given;
}

/** True if a login is required. A named number requires a new one; Qualified is a login itself. */
function needsLogin(
  { requiresAuth }: SigningProcess,
  { authenticatedAtMs, signatureType }: Signee,
  { sim, app, decline }: SignOptions,
): boolean {
  if (!requiresAuth) return false;
  const isNamed = sim !== undefined || app !== undefined;
  const signsByIt = signatureType === 'Qualified' && decline !== true;
  return authenticatedAtMs === undefined || (isNamed && !signsByIt);
}

/** Rejects options that do not apply to this signee, instead of ignoring them. */
function requireFitting(type: SignatureType, requiresAuth: boolean, options: SignOptions): void {
  const { yes, codeFile, token, sim, app, decline, reason, view } = options;
  const { qualified, eidSe, eidDk, qr, qrFile } = options;
  const given = {
    '--yes': yes,
    '--code-file': codeFile,
    '--token': token,
    '--qualified': qualified,
    '--sim': sim,
    '--app': app,
    '--eid-se': eidSe,
    '--eid-dk': eidDk,
    '--qr': qr,
    '--qr-file': qrFile,
    '--reason': reason,
    '--view': view,
  };
  const login = requiresAuth ? (['--sim', '--app', '--qr', '--qr-file'] as const) : [];
  const fitting: readonly string[] =
    decline === true
      ? ['--reason', ...login]
      : [...(type === 'Qualified' ? [] : login), '--view', ...proofs[type]];
  const odd = Object.entries(given).find(
    ([name, value]) => value !== undefined && !fitting.includes(name),
  )?.[0];
  if (odd === undefined) return;
  const what = decline === true ? '--decline' : `a signee of type ${type}`;
  refuseUsage(`${odd}: not for ${what}, which takes ${fitting.join(', ')}`);
}

const proofs: { readonly [Type in SignatureType]: readonly string[] } = {
  Qualified: ['--qualified', '--sim', '--app', '--eid-se', '--eid-dk', '--qr', '--qr-file'],
  Simple: ['--code-file', '--token'],
  ClickToSign: ['--yes'],
};

async function writeView(
  { signing }: CompanyService,
  place: SigneeRef,
  file: string,
  { io, console }: CommandContext,
): Promise<void> {
  const { writeNewFile } = await import('../../files/index.ts');
  const { content } = await signing.view(place);
  const existsHint = 'name a new file with --view';
  writeNewFile(file, content, { force: false, existsHint }, io);
  console.note(`the document as it is signed: ${shownName(file)}`);
}

async function signWithCode(
  { signing }: CompanyService,
  place: SigneeRef,
  subject: string,
  { codeFile, token }: SignOptions,
  context: CommandContext,
): Promise<SigningProcess | { readonly token: string }> {
  const { io, globals, console } = context;
  if (codeFile !== undefined && token === undefined) {
    refuseUsage(
      '--code-file: expected --token with it, because each text message has a new code',
      `innsigli sign ${place.processKey} ${place.signeeKey} sends one and prints its token`,
    );
  }
  const started = token === undefined ? await signing.sendCode(place) : { token };
  const again = `sign ${place.processKey} ${place.signeeKey} --token ${started.token}`;
  const mayAsk = globals.input && !globals.json && io.stdin.isTerminal && io.stderr.isTerminal;
  if (codeFile === undefined && !mayAsk) {
    console.note([
      'a code is queued',
      nextLine('send it', 'worker --once', globals),
      `Then: ${commandLine(`${again} --code-file -`, globals)}`,
    ]);
    return { token: started.token };
  }
  if (codeFile === undefined && token === undefined) {
    console.note('the code is queued: a worker sends it (innsigli worker --once, or serve)');
    console.note(`to enter it later: ${commandLine(again, globals)}`);
  }
  const text =
    codeFile === undefined
      ? await askCode(subject, context)
      : codeFile === '-'
        ? await readStdin(io)
        : Buffer.from(readOptionFile(codeFile, io.cwd)).toString('utf8');
  if (text === undefined || text.trim() === '') refuseUsage('not signed: no code was given');
  return console.busy('Signing', () => signing.signByCode(place, started.token, text.trim()));
}

async function askCode(subject: string, { io, console }: CommandContext): Promise<string> {
  try {
    for (;;) {
      const text = await io.askPassword(`Code from the text message, to sign ${subject}`);
      // An accidental Enter would count as a failed attempt, and would sign for a test number.
      if (text.trim() !== '') return text;
      console.note('no code was given: type it, or end with Ctrl-C');
    }
  } catch (cause) {
    if (!isInnsigliError(cause) || cause.code !== 'interrupted') throw cause;
    throw new InnsigliError('interrupted', 'not signed: no code was given', { cause });
  }
}

async function readStdin(io: CommandContext['io']): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of io.stdin.chunks()) {
    parts.push(chunk);
    if (parts.length > 16) break;
  }
  return Buffer.concat(parts).toString('utf8').slice(0, 64);
}
