import { describe, expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';

type Files = Readonly<Record<string, string>>;
const user = '.home/.config/innsigli/config.json';
const project = 'innsigli.config.json';

async function explain(
  files: Files,
  args: readonly string[] = [],
  env: Files = {},
  subfolder = '',
) {
  const cli = openFakeCli({ ...files, 'sub/deep/x': '' });
  const run = await cli.run(['config', 'explain', '--json', ...args], { env, subfolder });
  const settings: { path: string; value: unknown; origin: { kind: string; name: string } }[] =
    run.exitCode === 0 ? JSON.parse(run.stdout).settings : [];
  const find = (path: string) => {
    const setting = settings.find((one) => one.path === path);
    const text = JSON.stringify(setting?.value)?.replaceAll(cli.folder, '');
    return `${text} ${setting?.origin.kind} ${setting?.origin.name.replace(cli.folder, '')}`.trim();
  };
  return { ...run, find, folder: cli.folder };
}

describe('precedence of settings', () => {
  const layers = {
    user: { [user]: '{"level":"B-B"}' },
    project: { [project]: '{"level":"B-T"}' },
  };
  test.each([
    ['default', {}, [], {}, '"B-LTA" default'],
    ['user file', layers.user, [], {}, `"B-B" user /${user}`],
    ['project file', { ...layers.user, ...layers.project }, [], {}, `"B-T" project /${project}`],
    [
      'environment',
      { ...layers.project },
      [],
      { INNSIGLI_LEVEL: 'lt' },
      '"B-LT" environment INNSIGLI_LEVEL',
    ],
    [
      'flag',
      layers.project,
      ['--level', 'b-lta'],
      { INNSIGLI_LEVEL: 'lt' },
      '"B-LTA" flag --level',
    ],
    [
      'an empty variable counts as unset',
      layers.user,
      [],
      { INNSIGLI_LEVEL: '' },
      `"B-B" user /${user}`,
    ],
  ] as const)(
    'the level is read from the layer with the highest precedence: %s',
    async (_, files, args, env, expected) => {
      expect((await explain(files, args, env)).find('level')).toBe(expected);
    },
  );

  test('the project file is found in a parent folder', async () => {
    const files = { 'sub/innsigli.config.json': '{"level":"B-T"}' };
    const found = await explain(files, [], {}, 'sub/deep');
    expect(found.find('level')).toBe('"B-T" project /sub/innsigli.config.json');
  });

  test('paths in the project file are relative to its folder', async () => {
    const files = { 'sub/innsigli.config.json': '{"key":{"p12":"mine.p12"}}' };
    const found = await explain(files, ['--config', '../innsigli.config.json'], {}, 'sub/deep');
    const name = '/sub/innsigli.config.json';
    expect(found.find('key.p12')).toBe(`"/sub/mine.p12" project ${name}`);
  });

  test('--config and INNSIGLI_CONFIG replace the project file', async () => {
    const files = { [project]: '{"level":"B-T"}', 'other.json': '{"level":"B-LT"}' };
    const expected = '"B-LT" project /other.json';
    expect((await explain(files, ['--config', 'other.json'])).find('level')).toBe(expected);
    const env = { INNSIGLI_CONFIG: 'other.json' };
    expect((await explain(files, [], env)).find('level')).toBe(expected);
  });

  test.each([
    [['--data-dir', 'd'], { INNSIGLI_HOME: '/e' }, '"/d" flag --data-dir'],
    [[], { INNSIGLI_HOME: '/e' }, '"/e" environment INNSIGLI_HOME'],
    [[], { XDG_DATA_HOME: '/x' }, '"/x/innsigli" default'],
    [[], { XDG_DATA_HOME: 'relative' }, '"/.home/.local/share/innsigli" default'],
  ])('the data directory with %j and the environment %j', async (args, env, expected) => {
    expect((await explain({}, args, env as unknown as Files)).find('dataDir')).toBe(expected);
  });

  test('lists in environment variables are split into their items', async () => {
    const env = { INNSIGLI_TRUST: '/a:/b', INNSIGLI_TSA: 'https://a.example  http://b.example' };
    const found = await explain({}, [], env);
    expect(found.find('trust')).toBe('["/a","/b"] environment INNSIGLI_TRUST');
    expect(found.find('tsa')).toContain('[{"url":"https://a.example"},{"url":"http://b.example"}]');
  });

  test('durations accept ms, s and plain seconds', async () => {
    for (const [text, expected] of [
      ['10s', 10_000],
      ['800ms', 800],
      ['2.5', 2500],
    ]) {
      const found = await explain({}, ['--tsa-timeout', String(text)]);
      expect(found.find('tsaTimeoutMs')).toBe(`${expected} flag --tsa-timeout`);
    }
  });
});

describe('settings that belong together', () => {
  const p12 = { [user]: '{"key":{"p12":"seal.p12","passwordFile":"pw"}}' };

  test('a password of a lower layer is not used with a key of a higher layer', async () => {
    const found = await explain(p12, ['--key', 'k.pem']);
    expect(found.find('key.file')).toBe('"/k.pem" flag --key');
    expect(found.find('key.p12')).toBe('null default');
    expect(found.find('key.passwordFile')).toBe('null default');
  });

  test('a password of a higher layer is used with a key of a lower layer', async () => {
    const found = await explain(p12, [], { INNSIGLI_PASSWORD_FILE: '/new' });
    expect(found.find('key.p12')).toContain('seal.p12"');
    expect(found.find('key.passwordFile')).toBe('"/new" environment INNSIGLI_PASSWORD_FILE');
  });

  test('credentials of a lower layer are not sent to an authority of a higher layer', async () => {
    const env = {
      INNSIGLI_TSA: 'https://mine.example',
      INNSIGLI_TSA_USER: 'me',
      INNSIGLI_TSA_PASSWORD_FILE: '/pw',
    };
    expect((await explain({}, [], env)).find('tsa.user')).toContain('"me"');
    const found = await explain({}, ['--tsa', 'https://other.example'], env);
    expect(found.find('tsa')).toBe('[{"url":"https://other.example"}] flag --tsa');
    expect(found.find('tsa.user')).toBe('null default');
  });

  test.each([
    [['--tsa-user', 'me'], 'expected both a user and a password file'],
    [['--tsa-user', 'me', '--tsa-password-file', 'p'], 'expected one authority'],
    [
      ['--tsa', 'http://a', '--tsa', 'http://b', '--tsa-user', 'm', '--tsa-password-file', 'p'],
      'expected one authority for the credentials, found 2',
    ],
  ])('%j is a usage error', async (args, message) => {
    const run = await explain({}, args);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(message);
  });
});

describe('errors in configuration files', () => {
  test.each([
    ['{', 'expected JSON, found a syntax error', 'no comments and no trailing commas'],
    ['{"a":1,}', 'expected JSON, found a syntax error in line 1, column 8', ''],
    ['[]', '$: expected an object, found a list', ''],
    ['{"screening":{"sources":["un"]}}', '$.screening.sources[0]: expected NAME=URL', ''],
    [
      '{"screening":{"sources":["un=http://lists.example/un.xml"]}}',
      'expected an https address, found \\"http://lists.example\\"',
      '',
    ],
    ['{"levl":"B-B"}', '$.levl is not a setting', 'did you mean \\"level\\"?'],
    ['{"key":{"fil":"x"}}', '$.key.fil is not a setting', 'did you mean \\"file\\"?'],
    ['{"key":{"password":"hunter2"}}', '$.key.password is not a setting', 'passwordFile'],
    ['{"zzzzzz":1}', '$.zzzzzz is not a setting', 'known here: dataDir'],
    ['{"key":"k.pem"}', '$.key: expected an object, found \\"k.pem\\"', ''],
    ['{"offline":"yes"}', '$.offline: expected true or false, found \\"yes\\"', ''],
    ['{"level":3}', '$.level: expected a text, found 3', ''],
    ['{"level":"B-X"}', '$.level: expected one of B-B, B-T, B-LT, B-LTA', ''],
    ['{"tsaTimeoutMs":0}', '$.tsaTimeoutMs: expected whole milliseconds from 1 to 600000', ''],
    ['{"trust":"x"}', '$.trust: expected a list, found \\"x\\"', ''],
    ['{"trust":["x",""]}', '$.trust[1]: expected a path', ''],
    ['{"tsa":["ftp://x"]}', '$.tsa[0].url: expected an http or https address', ''],
    ['{"tsa":[{"url":"http://x","pass":"y"}]}', '$.tsa[0].pass: expected', ''],
    ['{"tsa":[{"url":"http://x","user":"u"}]}', '$.tsa[0].passwordFile: expected a path', ''],
    ['{"proxy":"http://u:hunter2@p"}', '$.proxy: expected an address without credentials', ''],
    ['{"proxy":"u:hunter2@p"}', 'expected an http or https address, found \\"…@p', ''],
    ['{"tsa":["ftp://u:hunter2@p/?x"]}', 'found \\"…@p/?…', ''],
    ['{"key":{"file":"a","p12":"b"}}', 'expected one key, found 2', 'use one of them'],
  ])('%j is rejected with a hint', async (text, message, hint) => {
    const run = await explain({ [project]: text }, ['--config', project]);
    expect(run).toMatchObject({ exitCode: 10, stdout: '' });
    expect(JSON.parse(run.stderr).error.code).toBe('config.invalid');
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain(hint);
    expect(run.stderr).not.toContain('hunter2');
  });

  test('the user file may name a password file in any folder', async () => {
    const tsa = '{"tsa":[{"url":"http://x","user":"u","passwordFile":"/p"}]}';
    expect((await explain({ [user]: tsa })).find('tsa')).toContain('"passwordFile":"/p"');
  });

  test('--config with a missing file exits with 10', async () => {
    const run = await explain({}, ['--config', 'none.json']);
    expect(run.exitCode).toBe(10);
    expect(run.stderr).toContain('cannot be read: no such file or folder (ENOENT)');
  });
});

describe('errors in environment variables', () => {
  test('an invalid value exits with 10 and names the variable', async () => {
    const run = await explain({}, [], { INNSIGLI_OFFLINE: 'maybe' });
    expect(run.exitCode).toBe(10);
    expect(run.stderr).toContain('INNSIGLI_OFFLINE: expected true or false, found \\"maybe\\"');
  });

  test.each([
    ['INNSIGLI_PASSWORD', 'is ignored, because other programs can read the environment'],
    ['INNSIGLI_LEVL', 'is ignored; did you mean INNSIGLI_LEVEL?'],
    ['INNSIGLI_XYZXYZXYZ', 'is not a variable of innsigli and is ignored'],
  ])('%s causes a warning', async (name, message) => {
    const run = await explain({}, [], { [name]: 'hunter2' });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stderr).warning.message).toContain(message);
    expect(run.stdout + run.stderr).not.toContain('hunter2');
  });
});

test('config explain prints value and origin of each setting, and secrets only as references', async () => {
  const cli = openFakeCli({ [user]: '{"key":{"p12":"seal.p12","passwordFile":"/pw"}}' });
  const { stdout } = await cli.run(['config', 'explain'], { env: { INNSIGLI_OFFLINE: '1' } });
  expect(stdout).toMatch(/^offline +true +environment INNSIGLI_OFFLINE$/m);
  expect(stdout).toMatch(/^key\.passwordFile +file:\/pw +user .*config\.json$/m);
  expect(stdout).toMatch(/^proxy +- +not set$/m);
});

test('warns that a project file which was only found sets the authority and level for sealing', async () => {
  const text = '{"tsa":["http://tsa.example/"],"level":"B-T"}';
  const cli = openFakeCli({ [project]: text, 'a.pdf': '%PDF' });
  const told = `${cli.folder}/${project}, which was found and not named, sets tsa`;
  for (const args of [
    ['seal', 'a.pdf'],
    ['seal', '.', '--out-dir', 'out', '--dry-run'],
  ]) {
    const { stderr } = await cli.run(args);
    expect(stderr).toContain(`${told} http://tsa.example/ and level B-T instead of B-LTA`);
  }
  for (const args of [
    ['verify', 'a.pdf'],
    ['seal', '--config', project, 'a.pdf', '--force'],
  ]) {
    expect((await cli.run(args)).stderr).not.toContain('which was found');
  }
});

test('a project file that was only found cannot set trust anchors or the data directory', async () => {
  const text = '{"trust":["roots"],"dataDir":"evil","level":"B-T"}';
  const cli = openFakeCli({ [project]: text, 'a.pdf': '%PDF' });
  const file = `${cli.folder}/${project}`;
  const found = await cli.run(['verify', '--quiet', 'a.pdf']);
  expect(found.stderr).toBe(
    `innsigli: warning: ${file}: ignored trust, dataDir, because the file was found, not named: ` +
      `it may have come with the documents; to use it pass --config ${file}\n`,
  );
  const named = await cli.run(['verify', '--config', project, 'a.pdf']);
  expect(named.stderr).not.toContain('ignored');
});
