import { expect, test } from 'vitest';
import { openEidCli } from './support/eid-cli.ts';

const imports = [
  'compliance import FILE',
  'register import FILE',
  'screen batch FILE --flow FLOW',
  'screen customer import FILE',
  'screen lists import FILE --list own --format csv',
];

async function openCli() {
  const cli = await openEidCli();
  const { stdout } = await cli.run(['flow', 'list', '--json']);
  const { flows } = JSON.parse(stdout) as { flows: readonly { key: string }[] };
  const run = (line: string, file: string) => {
    const words = { FILE: file, FLOW: flows[0]?.key ?? '' };
    return cli.run(
      line.split(' ').map((word) => (Object.hasOwn(words, word) ? words[word as 'FILE'] : word)),
    );
  };
  return { cli, run };
}

test.each(imports)(
  '"%s" rejects a table without column names, as every import does',
  async (line) => {
    const { cli, run } = await openCli();
    for (const [name, text] of [
      ['nothing.csv', ''],
      ['lines.csv', '\n\n'],
      ['sign.csv', 'sep=;\n'],
    ] as const) {
      cli.write(name, text);
      const { exitCode, stderr } = await run(line, name);
      expect({ name, exitCode, stderr }).toMatchObject({ exitCode: 2 });
      expect(stderr).toContain('error[validation.error]');
      expect(stderr).toContain('expected a first row with column names, found none');
    }
  },
);

test('a table with column names and no rows imports no one', async () => {
  const { cli, run } = await openCli();
  cli.write('names.csv', 'name,ssn\n');
  cli.write('customers.csv', 'reference,name\n');
  expect(await run('compliance import FILE', 'names.csv')).toMatchObject({ exitCode: 0 });
  expect(await run('screen customer import FILE', 'customers.csv')).toMatchObject({ exitCode: 0 });
});
