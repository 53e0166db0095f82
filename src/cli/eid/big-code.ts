const digits: Readonly<Record<string, readonly string[]>> = {
  '0': ['███', '█ █', '█ █', '█ █', '███'],
  '1': [' ██', '  █', '  █', '  █', '  █'],
  '2': ['███', '  █', '███', '█  ', '███'],
  '3': ['███', '  █', '███', '  █', '███'],
  '4': ['█ █', '█ █', '███', '  █', '  █'],
  '5': ['███', '█  ', '███', '  █', '███'],
  '6': ['███', '█  ', '███', '█ █', '███'],
  '7': ['███', '  █', '  █', '  █', '  █'],
  '8': ['███', '█ █', '███', '█ █', '███'],
  '9': ['███', '█ █', '███', '  █', '███'],
};

/** Five lines with the digits of a code, to be read from far; none for what is no such code. */
export function bigCode(code: string): readonly string[] {
  const shapes = [...code].map((digit) => digits[digit]);
  if (code === '' || shapes.includes(undefined)) return [];
  return [0, 1, 2, 3, 4].map((row) => shapes.map((shape) => shape?.[row]).join('  '));
}
