import { describe, expect, test } from 'vitest';
import { buildProgram, commandList } from '../../src/cli/program.ts';

const nothing = () => Promise.resolve();

describe('the list of commands', () => {
  test('has the same help texts as the definitions of the commands', async () => {
    const whole = await buildProgram('1', nothing);
    const list = await buildProgram('1', nothing, () => false);
    expect(list.helpInformation()).toBe(whole.helpInformation());
    expect(whole.commands.map((command) => command.name())).toEqual(
      commandList.map(({ name }) => name),
    );
    expect(commandList.length).toBeGreaterThan(15);
  });

  test('defines the options only of the requested command', async () => {
    const program = await buildProgram('1', nothing, (name) => name === 'seal');
    const optionCount = (name: string) =>
      program.commands.find((command) => command.name() === name)?.options.length;
    expect(optionCount('seal')).toBeGreaterThan(5);
    expect(optionCount('verify')).toBe(0);
  });
});
