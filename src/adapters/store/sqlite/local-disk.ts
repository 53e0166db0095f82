import { readFile, statfs } from 'node:fs/promises';
import { InnsigliError } from '../../../base/errors.ts';

// Linux `statfs` types of file systems whose locks and shared memory do not span all hosts.
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda'],
  [0x0bd00bd0, 'Lustre'],
  [0x564c, 'NCP'],
  [0x47504653, 'GPFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
]);
const FUSE = 0x65735546;

/**
 * The name of the network file system with a `statfs` type number; undefined for a local file
 * system.
 *
 * @param fuseType mount type of a FUSE file system, such as `fuse.sshfs`; `fuseblk` is a local disk
 */
export function networkFileSystem(type: number, fuseType?: string): string | undefined {
  // The number may be negative.
  const unsigned = type >>> 0;
  if (unsigned === FUSE) return fuseType === 'fuseblk' ? undefined : (fuseType ?? 'FUSE');
  return networkTypes.get(unsigned);
}

/** The type of the mount that contains `path`, from the text of /proc/self/mountinfo. */
export function mountType(mountInfo: string, path: string): string | undefined {
  let best: { readonly point: string; readonly type: string } | undefined;
  for (const line of mountInfo.split('\n')) {
    const [front = '', back = ''] = line.split(' - ');
    const point = (front.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const holds = point === '/' || path === point || path.startsWith(`${point}/`);
    const type = back.split(' ')[0] ?? '';
    // Of several mounts on the same mount point, the last one is visible.
    if (point !== '' && holds && point.length >= (best?.point.length ?? 0)) best = { point, type };
  }
  return best?.type;
}

/** Requires that `folder` is not on a network file system. @throws store.network */
export async function requireLocalDisk(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const { type } = await statfs(folder);
  const isFuse = type >>> 0 === FUSE;
  const mounts = isFuse ? await readFile('/proc/self/mountinfo', 'utf8').catch(() => '') : '';
  const name = networkFileSystem(type, isFuse ? mountType(mounts, folder) : undefined);
  if (name === undefined) return;
  const found = `expected a local disk, found ${name}`;
  throw new InnsigliError('store.network', `the database cannot be stored on ${folder}: ${found}`, {
    details: { fileSystem: name },
    hint: 'choose a folder on a local disk with --data-dir, or use PostgreSQL',
  });
}
