import { Option } from 'commander';
import { refuseUsage } from '../../context.ts';

/** An option whose default is shown without the quotes that commander puts around texts. */
export function withDefault(flags: string, text: string, value: string): Option {
  return new Option(flags, text).default(value, value);
}

/** The port in `--port`; 0 takes a free one. @throws usage.invalid */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65535) refuseUsage(`--port: expected 0 to 65535, found "${text}"`);
  return port;
}
