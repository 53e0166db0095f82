import { basename, resolve } from 'node:path';
import { memorySource } from '../../base/bytes.ts';
import type { FileObjectSource } from '../../wire/toolkit.types.ts';
import { refuseUsage } from '../context.ts';
import type { CliIo } from '../io.ts';
import { closeInput, readInput, statPath } from './input.ts';

/** A file covered by a detached signature. */
export interface DetachedFile {
  /** Name or URI by which the signature refers to it. */
  readonly name: string;
  /** Path; `-` for stdin. */
  readonly path: string;
}

/**
 * Parses an argument of `--detached`: `FILE` is referred to by its name without the folder,
 * `NAME=FILE` by the name or URI before the equals sign. An existing file with an equals sign in
 * its name takes precedence.
 *
 * @throws usage.invalid for stdin without a name
 */
export function parseDetached(text: string, cwd: string): DetachedFile {
  if (text === '-') {
    refuseUsage(
      'a detached signature names its files, and standard input has no name',
      'pass a name: --detached NAME=-',
    );
  }
  const isThere = (path: string) => statPath(resolve(cwd, path)) !== undefined;
  if (!text.includes('=') || isThere(text)) return { name: basename(text), path: text };
  const splits = [...text.matchAll(/=/g)].map(({ index }) => ({
    name: text.slice(0, index),
    path: text.slice(index + 1),
  }));
  const [first = { name: '', path: text }] = splits;
  const found = splits.find(({ path }) => path === '-' || isThere(path)) ?? first;
  if (found.name === '' || found.path === '') {
    refuseUsage(`--detached: expected FILE or NAME=FILE, found "${text}"`);
  }
  return found;
}

/**
 * Reads the documents that detached signatures refer to into memory.
 *
 * @param inputs paths of the signed documents
 * @throws usage.invalid if two have the same name, or stdin would be read twice; io.input.*
 */
export async function readDetached(
  texts: readonly string[],
  inputs: readonly string[],
  io: CliIo,
): Promise<readonly FileObjectSource[]> {
  const files = texts.map((text) => parseDetached(text, io.cwd));
  requireNames(files);
  const paths = [...inputs, ...files.map(({ path }) => path)];
  if (files.length > 0 && paths.filter((path) => path === '-').length > 1) {
    refuseUsage('-: standard input is a single document, found several');
  }
  const documents: FileObjectSource[] = [];
  for (const { name, path } of files) {
    const input = await readInput(path, io);
    const { source } = input;
    const bytes = source.slice(0, source.lengthBytes);
    closeInput(input);
    documents.push({ name, source: memorySource(bytes) });
  }
  return documents;
}

function requireNames(files: readonly DetachedFile[]): void {
  const taken = new Set<string>();
  for (const { name } of files) {
    if (taken.has(name)) {
      const hint = 'name them as the signature does: --detached NAME=FILE';
      refuseUsage(`--detached: two files have the name "${name}"`, hint);
    }
    taken.add(name);
  }
}
