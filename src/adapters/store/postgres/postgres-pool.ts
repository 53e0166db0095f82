import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Client, ClientConfig, Connection, Pool, PoolClient, PoolConfig } from 'pg';
import { systemCode } from '../../../base/os-errors.ts';
import { connectError } from './postgres-errors.ts';

/** Bounds of the connections of one process. */
export interface PostgresLimits {
  /** Connections that this process opens at most. */
  readonly connections: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeoutMs: number;
  /** Milliseconds that one statement may take, whether or not the server answers. */
  readonly queryTimeoutMs: number;
}

/** Connections with the bounds of {@link PostgresLimits}, as Kysely takes them. */
export interface BoundedPool extends PostgresPool {
  /** True while every connection that may be opened is in use. */
  isExhausted(): boolean;
  readonly isClosed: boolean;
}

/** Options of {@link openPostgresPool}. */
interface PostgresPoolOptions extends PostgresLimits {
  readonly pg: Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>;
  readonly dsn: string;
}

const LOCK_TIMEOUT_MS = 5000;
/** The server ends a transaction in which nothing happens for this time. */
const IDLE_TIMEOUT_MS = 60_000;
/** A silent connection is probed after this time. */
const KEEPALIVE_MS = 10_000;
/** Time between two attempts to get a connection that the server refused. */
const REFUSED_WAIT_MS = 100;
/** After a refusal the pool stays small for this time. */
const SMALL_MS = 10_000;
const INT8 = 20;
const TOO_MANY_CONNECTIONS = '53300';
const READ_ONLY = '25006';

/** Opens no connection yet: the first use does. */
export function openPostgresPool(options: PostgresPoolOptions): BoundedPool {
  const { pg, connections, connectTimeoutMs, queryTimeoutMs } = options;
  const pool = new pg.Pool(poolConfig(options));
  // A connection that breaks while nobody uses it is replaced. Without a listener the process would
  // end.
  pool.on('error', () => {});
  let grow: NodeJS.Timeout | undefined;
  /** The server has no room: others of this process wait for a connection that is there. */
  const shrink = () => {
    pool.options.max = Math.max(1, pool.totalCount - 1);
    clearTimeout(grow);
    grow = setTimeout(() => {
      pool.options.max = connections;
    }, SMALL_MS).unref();
  };
  const acquire = async (): Promise<PoolClient> => {
    const giveUpAt = performance.now() + connectTimeoutMs;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (systemCode(error) !== TOO_MANY_CONNECTIONS) throw connectError(error);
        shrink();
        if (performance.now() + REFUSED_WAIT_MS >= giveUpAt) throw error;
      }
      await sleep(REFUSED_WAIT_MS * (0.5 + Math.random()));
    }
  };
  return {
    connect: async () => guarded(await acquire(), pool, queryTimeoutMs),
    async end() {
      clearTimeout(grow);
      await pool.end();
    },
    isExhausted: () => pool.totalCount >= pool.options.max,
    get isClosed() {
      return pool.ended || pool.ending;
    },
  };
}

function poolConfig(options: PostgresPoolOptions): PoolConfig {
  const { pg, dsn, connections, connectTimeoutMs, queryTimeoutMs } = options;
  return {
    Client: carefulClient(pg),
    connectionString: dsn,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(Number.isFinite(queryTimeoutMs) ? { statement_timeout: queryTimeoutMs } : {}),
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    fallback_application_name: 'innsigli',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    // Numbers here are times and counts, far below the limit of what a double holds exactly.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** A connection whose statements end in time: one that stays silent is cut off. */
function guarded(client: PoolClient, pool: Pool, timeoutMs: number): PostgresPoolClient {
  let isSpoilt = false;
  // The server ends a statement by itself at `timeoutMs`; this is for one that cannot.
  const silenceMs = timeoutMs * 1.1;
  const query = async (text: string, values: readonly unknown[]) => {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    if (Number.isFinite(timeoutMs)) {
      timer = setTimeout(() => {
        isLate = true;
        isSpoilt = true;
        // With a statement under way this closes the socket at once.
        void client.end();
      }, silenceMs);
    }
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      if (isLate) throw silentError(silenceMs, error);
      // It was the primary once: the next connection may lead to the one that is it now.
      if (systemCode(error) === READ_ONLY) isSpoilt = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isSpoilt || pool.totalCount > (pool.options.max ?? 1)),
  };
}

/** The code is not that of a broken connection: nobody asks such a server again at once. */
function silentError(afterMs: number, cause: unknown): Error {
  const error = new Error(`the database did not answer within ${Math.round(afterMs)} ms`, {
    cause,
  });
  return Object.assign(error, { code: '08000' });
}

/** Code for a server that does not keep to the protocol. @spec PostgreSQL manual, appendix A */
const PROTOCOL_VIOLATION = '08P01';

/** A connection of `pg`, which puts its reader on a stream: the socket, or TLS over it. */
type Reading = Connection & { attachListeners(stream: Duplex): void };

/**
 * The client of `pg` without two faults: a connection that does not come about is closed whoever
 * gave it up, and what a server says against the protocol ends its connection, not the program.
 */
function carefulClient(pg: { readonly Client: typeof Client }): typeof Client {
  return class extends pg.Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      // From the beginning: the pool listens only after the connection was made.
      this.on('error', () => {});
      const connection = this.connection as Reading;
      guardReader(connection);
      const close = () => connection.stream.destroy();
      connection.on('error', close);
      connection.on('errorMessage', close);
      // The server goes on after an error of a statement.
      this.once('connect', () => connection.off('errorMessage', close));
    }
  };
}

function guardReader(connection: Reading): void {
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const emit = stream.emit.bind(stream) as (event: string, ...rest: unknown[]) => boolean;
    stream.emit = (event: string, ...rest: unknown[]) => {
      try {
        return emit(event, ...rest);
      } catch (cause) {
        if (event !== 'data') throw cause;
        const fault = new Error('the server violates the protocol', { cause });
        stream.destroy(Object.assign(fault, { code: PROTOCOL_VIOLATION }));
        return true;
      }
    };
    attach(stream);
  };
}
