import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '../base/os-errors.ts';

/**
 * Starts a server on an address of this machine; port 0 selects a free port. The returned `url` has
 * no path, and `close` closes open connections.
 *
 * @throws config.invalid if the server cannot listen there
 */
export async function listen(server: Server, host: string, wanted: number) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(host, wanted, cause)));
    server.listen(wanted, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
