/** Titles before names, which do not identify a person. */
export const honorifics: ReadonlySet<string> = wordSet([
  'president präsident praesident prasident presidente presidant mr mrs ms miss mister dr',
  'prof professor sir dame lord lady baron count sheikh shaikh shaykh sheik cheikh haji',
  'hajji hadji haj hajj mullah mulla maulavi mawlawi maulawi moulavi maulana mawlana qari',
  'ayatollah imam general gen colonel col lieutenant lt captain capt major maj brigadier',
  'brig admiral marshal commander president minister senator hon excellency don doña herr',
  'frau pan pani jr sr junior senior ing eng engineer hrh mullanura llc ustad ostad alhaj',
  'alhaji molvi commandant comandante commander drs dra hj ir dato datuk jnr snr baroness',
]);

/** Words of names that are omitted as often as written. */
export const particles: ReadonlySet<string> = wordSet([
  'al el ul ur as az ad ash ar an at bin ben ibn bint binti bte van von der den de da do',
  'dos das di du del della la le los las ter ten zu zum zur af av y e und i bou oglu ogly',
  'kyzy qizi ould wuld',
]);

function wordSet(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
