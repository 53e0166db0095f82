import type { LoginAnswer } from '../../../app/auth/index.ts';
import { defined } from '../../../base/defined.ts';
import { onCode } from '../../../base/errors.ts';
import { command, key, readInputText } from '../../command/index.ts';
import { type CommandContext, refuseUsage, yieldToEventLoop } from '../../context.ts';
import { eidWords, failureExit, isRefused, startedOrRefused, stepText } from '../../eid/index.ts';
import { printable, wholeSecond } from '../../output/index.ts';
import { chooseLogin } from './choices.ts';
import { bodyOf, loginOptions, lookupOption, printLogin } from './login.ts';

/** The token of a login. */
export const tokenArgument = { '<token>': 'token of the login, or - for stdin' } as const;

/** Starts a login without waiting for it. */
export const authStart = command('auth start', {
  summary: 'start a login without waiting',
  description: 'Start a login and print its token, which polls and cancels it.',
  options: loginOptions,
  help: ['Anyone with the token can see who logged in: keep it as secret as a password.'],
  examples: {
    'innsigli auth start --method sim --hint 6666666 --json': 'token and verification code',
  },
  exits: {
    0: 'started',
    2: 'an option is missing or invalid',
    4: 'no provider is configured',
    5: 'no such flow',
    6: 'too many logins were started',
    7: 'no person has this number',
    8: 'the provider cannot be reached',
  },
  call: async (service, { text, ...given }, context) => {
    const choice = await chooseLogin(service, given, context);
    const start = () => service.auth.start({ ...choice, ...defined({ text }) });
    return startedOrRefused(start);
  },
  document: (started) => {
    if (isRefused(started)) return started;
    const { expiresAtMs, isSimulated, ...login } = started;
    const expiresAt = new Date(expiresAtMs).toISOString();
    return { state: 'waiting', ...login, simulated: isSimulated, expiresAt };
  },
  text: async (started, context) => {
    if (isRefused(started)) return printLogin(started, context);
    const { console, io } = context;
    const words = eidWords(io.env);
    const { verificationCode, qrData, redirectUrl, token, expiresAtMs } = started;
    if (verificationCode !== '') console.note(`${words.compare} ${printable(verificationCode)}`);
    if (qrData !== undefined) console.note([words.openLink, printable(qrData)]);
    if (redirectUrl !== undefined) console.note([words.openPage, printable(redirectUrl)]);
    console.note(`until ${wholeSecond(expiresAtMs)}: innsigli auth poll TOKEN --wait`);
    console.result(token);
  },
  exit: (started) => (isRefused(started) ? failureExit(started.hint) : 0),
});

/** Polls a login. */
export const authPoll = command('auth poll', {
  summary: 'print the state of a login',
  description: 'Print the state of a login, or wait until it has ended.',
  args: tokenArgument,
  options: {
    '--wait': 'poll until it has ended',
    '--hint <number>': 'number the person must have',
    ...lookupOption(),
  },
  examples: {
    'innsigli auth poll 3f… --wait': 'who logged in',
    'innsigli auth start --method sim --hint 6666666 | innsigli auth poll - --wait': 'in one line',
  },
  exits: {
    0: 'logged in',
    4: 'a different person logged in, or no such login',
    6: 'no response in time',
    7: 'the person or the provider refused or cancelled it',
    8: 'the provider cannot be reached',
    9: 'no response yet',
    130: 'interrupted; the login stays pending',
  },
  call: async ({ auth }, { token: named, wait, hint, lookup }, context) => {
    const token = await readToken(named, context);
    const poll = { token, ...defined({ lookup, loginHint: hint }) };
    for (;;) {
      const asked = auth.poll(poll);
      const answer = await (wait ? asked.catch(stillWaiting) : asked);
      if (wait !== true || answer.state !== 'waiting') return answer;
      await yieldToEventLoop();
      await context.io.wait(POLL_MS);
    }
  },
  document: (answer) =>
    answer.state === 'waiting'
      ? { ...defined({ step: answer.step, qrData: answer.link }), state: answer.state }
      : bodyOf(answer),
  text: async (answer, context) => {
    if (answer.state !== 'waiting') return printLogin(answer, context);
    context.console.note(stepText(eidWords(context.io.env), answer.step));
  },
  exit: (answer) => {
    if (answer.state === 'failed') return failureExit(answer.hint);
    return answer.state === 'waiting' ? 9 : 0;
  },
});

/** Providers require two seconds between polls. */
const POLL_MS = 2000;

/** With `--wait`, a poll that is too early is repeated. */
const stillWaiting = onCode(
  'authentication.poll.too_frequent',
  (): LoginAnswer => ({ state: 'waiting' }),
);

/** Cancels a pending login. */
export const authCancel = command('auth cancel', {
  summary: 'cancel a pending login',
  description: 'Cancel a pending login, also at the provider. A login that has ended is unchanged.',
  args: tokenArgument,
  examples: { 'innsigli auth cancel 3f…': 'it can no longer be answered' },
  exits: { 0: 'it is no longer pending', 4: 'no such login' },
  call: async ({ auth }, { token }, context) => {
    await auth.cancel(await readToken(token, context));
    return { canceled: true };
  },
  text: (_, { console }) => console.note('the login is no longer pending'),
});

/** Prints who has logged in at the page of a flow. */
export const authResult = command('auth result', {
  summary: 'exchange the code of a login page for the person',
  description:
    'Exchange the code in the return URL of a login page for the person who logged in. A ' +
    'code is valid once, for one minute.',
  args: { '<code>': 'parameter result of the return URL, or - for stdin' },
  options: {
    '--flow <key>': { text: 'flow of the login page', ...key('flow') },
    '--verifier <secret>': 'secret of codeChallenge, if the link had one',
    ...lookupOption('Name'),
  },
  examples: { 'innsigli auth result r7c… --flow a98c7ad48e82': 'who logged in' },
  exits: {
    0: 'logged in',
    2: 'an option is missing or invalid',
    4: 'the code is unknown, expired, or for a different flow',
    6: 'the code was already used',
  },
  call: async ({ auth }, { code: named, flow, verifier, lookup }, context) => {
    const code = await readToken(named, context);
    const flowKey = flow ?? refuseUsage('--flow is missing: expected the key of a flow');
    const asked = defined({ lookup, codeVerifier: verifier });
    const found = await auth.result({ code, flowKey, ...asked });
    return { state: 'done' as const, ...found };
  },
  document: ({ isSimulated, ...done }) => ({ ...bodyOf(done), simulated: isSimulated }),
  text: async (found, context) => {
    await printLogin(found, context);
    if (found.isSimulated) context.console.note('TEST: answered by a simulator, proves nothing');
  },
});

/** Returns the token of an argument: the argument itself, or the content of standard input. */
export async function readToken(named: string, { io }: CommandContext): Promise<string> {
  if (named !== '-') return named;
  const text = (await readInputText('-', io)).trim();
  // From the output of auth start --json, the member; else the line.
  const token = text.startsWith('{') ? tokenIn(text) : text;
  return token ?? refuseUsage('-: expected a token on standard input, found none');
}

function tokenIn(json: string): string | undefined {
  try {
    const { token } = JSON.parse(json) as { readonly token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
