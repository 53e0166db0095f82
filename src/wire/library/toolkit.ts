import { randomBytes } from 'node:crypto';
import { InnsigliError } from '../../base/errors.ts';
import { configFromObject } from '../config/resolve.ts';
import { openToolkit as openWith } from '../toolkit.ts';
import type { Toolkit, ToolkitIo } from '../toolkit.types.ts';
import { takingToolkit } from './taking-toolkit.ts';

/**
 * Settings of a toolkit, in the form of a configuration file. Secrets stand in files that are
 * named here, never in the settings. What is left out has the default of the command line.
 */
export interface ToolkitSettings {
  /** Folder of all state; made on first use. Default: that of the command line. */
  readonly dataDir?: string;
  /** Every network access is an error. */
  readonly offline?: boolean;
  /** Refuse the development trust and the simulator. */
  readonly production?: boolean;
  readonly level?: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  readonly digest?: 'sha256' | 'sha384' | 'sha512';
  /** The seal key; the key of the development trust when left out. */
  readonly key?: {
    readonly file?: string;
    readonly certificate?: string;
    readonly chain?: readonly string[];
    readonly p12?: string;
    readonly passwordFile?: string;
    readonly development?: 'rsa' | 'ec';
  };
  /** Time-stamp authorities, in the order to try; the embedded one when left out. */
  readonly tsa?: readonly (
    | string
    | { readonly url: string; readonly user: string; readonly passwordFile: string }
  )[];
  /** Trust anchors: files or folders; they replace the development root. */
  readonly trust?: readonly string[];
  /** `postgres://user@host/name`; SQLite in the data directory when left out. */
  readonly database?: string;
  /** Key of the company, where there are several. */
  readonly company?: string;
  /** Base address of signing pages. */
  readonly frontEnd?: string;
  readonly mail?: {
    readonly from?: string;
    /** `smtp://host:port` or `smtps://host:port`; files in the outbox when left out. */
    readonly server?: string;
    readonly user?: string;
    readonly passwordFile?: string;
  };
  readonly sms?: { readonly gateway?: string; readonly tokenFile?: string };
  /** Private networks that webhooks may reach. */
  readonly webhooks?: { readonly networks?: string };
}

/**
 * Everything that the command line can do, as an object. Opening it is cheap: keys, database and
 * connections are opened when a method needs them. Nothing is read from the environment, except
 * the home folder for a data directory that is not named. What its methods are given is copied.
 *
 * @param settings in the form of a configuration file; relative paths stand against the current
 *   folder
 * @param io clock, randomness and warnings; those of the system, and silence, when left out
 * @throws config.invalid
 */
export function openToolkit(settings: ToolkitSettings = {}, io: Partial<ToolkitIo> = {}): Toolkit {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new InnsigliError('config.invalid', 'settings: expected an object');
  }
  const toolkit = openWith(configFromObject(settings, process.cwd()), {
    now: () => Date.now(),
    random: (count) => randomBytes(count),
    warn: () => undefined,
    ...io,
  });
  return takingToolkit(toolkit);
}
