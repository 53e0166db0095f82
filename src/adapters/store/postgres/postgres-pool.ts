import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Client, ClientConfig, Connection, Pool, PoolClient, PoolConfig } from 'pg';
import { systemCode } from '../../../base/os-errors.ts';
import { connectError } from './postgres-errors.ts';

/** Limits for the connections of one process. */
export interface PostgresLimits {
  /** Maximum number of connections of this process. */
  readonly connections: number;
  /** Time to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Time limit for one statement in milliseconds, whether or not the server responds. */
  readonly queryTimeoutMs: number;
}

/** A connection pool for Kysely with the limits of {@link PostgresLimits}. */
export interface BoundedPool extends PostgresPool {
  /** Whether all permitted connections are in use. */
  isExhausted(): boolean;
  readonly isClosed: boolean;
}

interface PostgresPoolOptions extends PostgresLimits {
  readonly pg: Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>;
  readonly dsn: string;
}

const LOCK_TIMEOUT_MS = 5000;
/** Time after which the server ends an idle transaction. */
const IDLE_TIMEOUT_MS = 60_000;
/** Time after which an idle connection is probed. */
const KEEPALIVE_MS = 10_000;
/** Average time between two connection attempts after the server has rejected one. */
const REFUSED_WAIT_MS = 100;
/** Time for which the pool stays smaller after a rejection. */
const SMALL_MS = 10_000;
const INT8 = 20;
const TOO_MANY_CONNECTIONS = '53300';
const READ_ONLY = '25006';

/** Creates a pool; the first use opens a connection. */
export function openPostgresPool(options: PostgresPoolOptions): BoundedPool {
  const { pg, connections, connectTimeoutMs, queryTimeoutMs } = options;
  const pool = new pg.Pool(poolConfig(options));
  // A failed idle connection is replaced. Without a listener, the error would crash the process.
  pool.on('error', () => {});
  let grow: NodeJS.Timeout | undefined;
  /** The server has no free connections, so callers have to wait for an existing one. */
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
    // 64-bit integers are times and counts here, far below the range of exact doubles.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** A connection with a time limit on statements: it is closed if the server does not respond. */
function guarded(client: PoolClient, pool: Pool, timeoutMs: number): PostgresPoolClient {
  let isSpoilt = false;
  // The server itself cancels a statement at `timeoutMs`; this limit is for a server that cannot.
  const silenceMs = timeoutMs * 1.1;
  const query = async (text: string, values: readonly unknown[]) => {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    if (Number.isFinite(timeoutMs)) {
      timer = setTimeout(() => {
        isLate = true;
        isSpoilt = true;
        // While a statement is running, this closes the socket immediately.
        void client.end();
      }, silenceMs);
    }
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      if (isLate) throw silentError(silenceMs, error);
      // The server is no longer the primary; a new connection may lead to the current primary.
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

/** Not the code of a lost connection, so that an unresponsive server is not retried immediately. */
function silentError(afterMs: number, cause: unknown): Error {
  const error = new Error(`the database did not answer within ${Math.round(afterMs)} ms`, {
    cause,
  });
  return Object.assign(error, { code: '08000' });
}

/** Code for a server that violates the protocol. @spec PostgreSQL manual, appendix A */
const PROTOCOL_VIOLATION = '08P01';

/** A connection of `pg`, which attaches its reader to a stream: the socket, or TLS over it. */
type Reading = Connection & { attachListeners(stream: Duplex): void };

/**
 * The client of `pg` with two fixes: a connection that is not established is always closed, and a
 * protocol violation by the server closes the connection instead of crashing the process.
 */
function carefulClient(pg: { readonly Client: typeof Client }): typeof Client {
  return class extends pg.Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      // Added immediately, because the pool listens only once the connection is established.
      this.on('error', () => {});
      const connection = this.connection as Reading;
      guardReader(connection);
      const close = () => connection.stream.destroy();
      connection.on('error', close);
      connection.on('errorMessage', close);
      // Once connected, an error of a statement does not end the connection.
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
