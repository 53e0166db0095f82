import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Stage of a session: the verb of a command, `CONN` before the first one, `TEXT` after the final
 * dot.
 */
export type SmtpStep = 'CONN' | 'EHLO' | 'HELO' | 'MAIL' | 'RCPT' | 'DATA' | 'TEXT' | (string & {});

/** The reply at a stage: text, now or later; undefined for the usual reply. */
export type SmtpReply = (
  step: SmtpStep,
  line: string,
  socket: Socket,
) => string | Promise<string> | undefined;

/** A server with scripted replies, whose sessions can be inspected. */
export interface ScriptedSmtp {
  readonly port: number;
  /** Message-IDs of the accepted mails. */
  readonly taken: readonly string[];
  /** Message-IDs of the mails whose text arrived completely. */
  readonly read: readonly string[];
  /** Open connections. */
  open(): number;
  /** Connections so far. */
  connections(): number;
}

const usual: Readonly<Record<string, string>> = {
  CONN: '220 here',
  DATA: '354 go',
  QUIT: '221 bye',
};

/** A reply that never comes. */
export function silence(): Promise<never> {
  return new Promise(() => undefined);
}

/** A reply line from time to time, and never the last one. */
export function drip(socket: Socket, code = '250'): Promise<never> {
  const timer = setInterval(() => socket.write(`${code}-wait\r\n`), 20);
  socket.on('close', () => clearInterval(timer));
  return silence();
}

/**
 * Starts a server for one test.
 *
 * @param finished the hook of the test, where others run at the same time
 */
export async function startScriptedSmtp(
  reply: SmtpReply,
  finished: typeof onTestFinished = onTestFinished,
): Promise<ScriptedSmtp> {
  const sockets = new Set<Socket>();
  const [taken, read]: [string[], string[]] = [[], []];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let pending = Promise.resolve('');
    const answer = (step: SmtpStep, line: string, said?: (words: string) => void) => {
      pending = pending.then(async () => {
        const words = (await reply(step, line, socket)) ?? usual[step] ?? '250 ok';
        said?.(words);
        if (!socket.destroyed) socket.write(`${words}\r\n`);
        return words;
      });
      return pending;
    };
    void answer('CONN', '');
    followLines(socket, answer, (text) => {
      const id = /^Message-ID: *(.*)$/im.exec(text)?.[1]?.trim() ?? '';
      read.push(id);
      void answer('TEXT', text, (words) => words.startsWith('2') && taken.push(id));
    }).catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  finished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    taken,
    read,
    open: () => sockets.size,
    connections: () => connections,
  };
}

/** Passes on commands in order, and the text after a DATA that was answered with 354. */
async function followLines(
  socket: Socket,
  command: (step: string, line: string) => Promise<string>,
  text: (text: string) => void,
): Promise<void> {
  let rest = '';
  let end = '\r\n';
  for await (const chunk of socket.setEncoding('latin1')) {
    rest += chunk;
    for (let at = rest.indexOf(end); at >= 0; at = rest.indexOf(end)) {
      const line = rest.slice(0, at);
      rest = rest.slice(at + end.length);
      if (end !== '\r\n') {
        end = '\r\n';
        text(line);
        continue;
      }
      const step = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
      const said = command(step, line);
      if (step === 'DATA' && (await said).startsWith('354')) end = '\r\n.\r\n';
    }
  }
}
