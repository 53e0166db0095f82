import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { newTemporaryFolder } from './folders.ts';

/** A proxy for a PostgreSQL server that cuts one connection at one statement. */
export interface PostgresProxy {
  /** Connection string through the proxy. */
  through(dsn: string): string;
  /**
   * From now on counts statements, including BEGIN and COMMIT, and cuts the connection at the one
   * with this number or chosen by this function: `before` the server has seen it, or `after` its
   * execution and before its response.
   */
  cutAt(statement: number | Choice, when: 'before' | 'after'): void;
  /** Whether every connection is rejected. */
  isDown: boolean;
  /** Statements since {@link cutAt}. */
  readonly count: number;
  /** The statement at which the connection was cut. */
  readonly cutText: string | undefined;
  close(): Promise<void>;
}

/** Whether the connection is cut at this statement. */
export type Choice = (text: string, earlier: readonly string[]) => boolean;

/** Starts a proxy for the server whose socket is in `folder`. */
export async function startProxy(folder: string): Promise<PostgresProxy> {
  const own = newTemporaryFolder('proxy');
  const state = { when: 'before' as 'before' | 'after', isDown: false };
  let isChosen: Choice = () => false;
  let texts: string[] = [];
  let cutText: string | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (state.isDown) {
      client.destroy();
      return;
    }
    const upstream = connect(join(folder, '.s.PGSQL.5432'));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    let isCut = false;
    const waiting: Buffer[] = [];
    let lastText = '';
    let isStarted = false;
    client.on('data', (chunk) => {
      for (const message of messagesOf(waiting, chunk as Buffer, !isStarted)) {
        isStarted = true;
        const kind = message.typed ? String.fromCharCode(message.bytes[0] as number) : '';
        if (kind === 'Q' || kind === 'P') lastText = message.bytes.toString('utf8', 5);
        // A simple query, or the end of a query with parameters.
        const isWhole = kind === 'Q' || kind === 'S';
        const text = lastText.replaceAll('\0', ' ').trim();
        const isHit = isWhole && cutText === undefined && isChosen(text, texts);
        if (isWhole) texts.push(text);
        if (isHit) cutText = text;
        if (isHit && state.when === 'before') return end();
        if (isHit) isCut = true;
        upstream.write(message.bytes);
      }
    });
    upstream.on('data', (chunk) => {
      if (!isCut) return void client.write(chunk as Buffer);
      // ReadyForQuery ends the response: then the statement has been executed.
      const answer = chunk as Buffer;
      if (answer.length >= 6 && answer[answer.length - 6] === 0x5a) end();
    });
  });
  await new Promise<void>((resolve) => server.listen(join(own, '.s.PGSQL.5432'), resolve));
  return {
    through(dsn) {
      const url = new URL(dsn);
      url.searchParams.set('host', own);
      return url.href.replaceAll('+', '%20');
    },
    cutAt(statement, when) {
      state.when = when;
      const at = statement;
      isChosen = typeof at === 'number' ? (_text, earlier) => earlier.length + 1 === at : at;
      texts = [];
      cutText = undefined;
    },
    get isDown() {
      return state.isDown;
    },
    set isDown(isDown) {
      state.isDown = isDown;
      if (isDown) for (const socket of sockets) socket.destroy();
    },
    get count() {
      return texts.length;
    },
    get cutText() {
      return cutText;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/** Complete messages of a client; the rest stays in `waiting`. The first message has no type. */
function* messagesOf(waiting: Buffer[], chunk: Buffer, isFirst: boolean) {
  let rest = Buffer.concat([...waiting.splice(0), chunk]);
  let typed = !isFirst;
  for (;;) {
    const head = typed ? 1 : 0;
    if (rest.length < head + 4) break;
    const length = head + rest.readUInt32BE(head);
    if (rest.length < length) break;
    yield { typed, bytes: rest.subarray(0, length) };
    rest = rest.subarray(length);
    typed = true;
  }
  if (rest.length > 0) waiting.push(rest);
}
