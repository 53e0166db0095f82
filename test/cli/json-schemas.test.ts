import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { jsonSchemas, schemaName } from '../../scripts/json-schemas/index.ts';
import { jsonPage, schemaFiles } from '../../scripts/schemas-doc.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { faultsOf } from './support/json-output.ts';

/** Commands that print no document under --json, and what they print. */
const without: Readonly<Record<string, string>> = {
  help: 'text',
  'activity export': 'the export, which has a format of its own',
};

/** Every command that performs an action, with its groups. */
async function commandNames(): Promise<readonly string[]> {
  const program = await buildProgram('0', () => Promise.resolve());
  const namesBelow = (command: Command, words: readonly string[]): readonly string[] =>
    command.commands.flatMap((child) => {
      const own = [...words, child.name()];
      // A group may be a command as well: `remind` is.
      const acts = child.commands.length === 0 || child.registeredArguments.length > 0;
      return [...(acts ? [own.join(' ')] : []), ...namesBelow(child, own)];
    });
  return namesBelow(program, []);
}

/** Every object schema below this one. */
function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(objectsIn);
  const own = value as Record<string, unknown>;
  return own['type'] === 'object' ? [own, ...below] : below;
}

describe('schemas of --json', () => {
  test('exist for every command, and each belongs to a command or a line format', async () => {
    const names = await commandNames();
    expect(names.length).toBeGreaterThan(75);
    const wanted = names.filter((name) => !(name in without)).map(schemaName);
    const lines = ['auth-event', 'stderr', 'version', 'report-line', 'verification-report'];
    expect([...jsonSchemas().keys()].sort()).toEqual([...wanted, ...lines].sort());
  });

  test('allow no additional properties', () => {
    const objects = [...jsonSchemas().values()].flatMap(objectsIn);
    expect(objects.length).toBeGreaterThan(400);
    const open = objects.filter(
      (each) => each['additionalProperties'] !== false && !('patternProperties' in each),
    );
    expect(open).toEqual([]);
  });

  test('docs/schemas and docs/json.md are up to date', () => {
    const files = schemaFiles();
    expect(readdirSync('docs/schemas').sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) {
      expect(readFileSync(`docs/schemas/${name}`, 'utf8'), name).toBe(text);
    }
    expect(readFileSync('docs/json.md', 'utf8')).toBe(jsonPage());
  });

  test.each([
    [{ v: 1, command: 'activity total', total: 1, warnings: [] }, 0],
    [{ v: 1, command: 'activity total', warnings: [] }, 1],
    [{ v: 1, command: 'activity total', total: 1, warnings: [], more: 1 }, 1],
    [{ v: 2, command: 'activity total', total: 1, warnings: [] }, 1],
    [{ v: 1, command: 'activity total', total: '1', warnings: [] }, 1],
  ])('the validator finds faults: %j has %i', (document, count) => {
    expect(faultsOf('activity-total', document)).toHaveLength(count);
  });
});
