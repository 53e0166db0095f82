import type { Duplex } from 'node:stream';
import type { Client, ClientConfig, Connection } from 'pg';

/** Code for a server that does not keep to the protocol. @spec PostgreSQL manual, appendix A */
const PROTOCOL_VIOLATION = '08P01';

/** A connection of `pg`, which puts its reader on a stream: the socket, or TLS over it. */
type Reading = Connection & { attachListeners(stream: Duplex): void };

/**
 * The client of `pg` without two faults: a connection that does not come about is closed whoever
 * gave it up, and what a server says against the protocol ends its connection, not the program.
 */
export function carefulClient(pg: { readonly Client: typeof Client }): typeof Client {
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
        const fault = new Error('the server does not keep to the protocol', { cause });
        stream.destroy(Object.assign(fault, { code: PROTOCOL_VIOLATION }));
        return true;
      }
    };
    attach(stream);
  };
}
