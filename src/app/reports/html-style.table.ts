/** Style sheet of a report, for light and dark mode, screen and print. */
export const reportStyle = `
:root { --ink: #16202c; --soft: #55606d; --ground: #f4f6f8; --sheet: #ffffff; --line: #d5dbe1;
  --good: #0d5c2f; --good-ground: #e5f4ea; --open: #7a4d00; --open-ground: #fdf1d8;
  --bad: #a01f16; --bad-ground: #fce8e6; --plain: #55606d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #a5b0bb; --ground: #10161d;
  --sheet: #19212b; --line: #34404d; --good: #7fd8a0; --good-ground: #14301f; --open: #f0c46a;
  --open-ground: #362a10; --bad: #ff9d92; --bad-ground: #3d1a17; --plain: #a5b0bb; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 "Noto Sans", system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: .95rem; margin: 1.1rem 0 .35rem; color: var(--soft); }
p { margin: .35rem 0; overflow-wrap: anywhere; }
.headline { font-size: 1.2rem; font-weight: 600; padding: .8rem 1rem; border-radius: .5rem;
  margin: 0 0 1rem; }
.headline.good { background: var(--good-ground); color: var(--good); }
.headline.open { background: var(--open-ground); color: var(--open); }
.headline.bad { background: var(--bad-ground); color: var(--bad); }
.headline.plain { background: var(--sheet); }
section { background: var(--sheet); border: 1px solid var(--line); border-left: .3rem solid
  var(--plain); border-radius: .5rem; padding: 1rem 1.25rem; margin: 1rem 0; }
section.good { border-left-color: var(--good); }
section.open { border-left-color: var(--open); }
section.bad { border-left-color: var(--bad); }
.good > .sign, .good > h2 > .sign { color: var(--good); }
.open > .sign, .open > h2 > .sign { color: var(--open); }
.bad > .sign, .bad > h2 > .sign { color: var(--bad); }
.sign { display: inline-block; min-width: 1.1em; font-weight: 700; }
.result { color: var(--soft); font-size: .9rem; letter-spacing: .02em; }
.claims { border: 1px dashed var(--line); border-radius: .4rem; padding: 0 .8rem .6rem;
  margin: .8rem 0; }
dl { margin: .6rem 0; }
dl > div { display: grid; grid-template-columns: 12rem 1fr; gap: .15rem 1rem; padding: .15rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
ul { margin: .4rem 0; padding: 0; list-style: none; }
li { margin: .3rem 0; padding-inline-start: 1.6em; position: relative; overflow-wrap: anywhere; }
li > .sign { position: absolute; inset-inline-start: 0; }
section.plain > ul > li { padding-inline-start: 0; }
.time { white-space: nowrap; }
code { font: .85em ui-monospace, "Noto Sans Mono", Menlo, Consolas, monospace; color: var(--soft); }
dd code { color: inherit; }
footer { color: var(--soft); font-size: .875rem; margin-top: 1.5rem; }
@media (max-width: 36rem) { dl > div { grid-template-columns: 1fr; } dd { padding-left: 1rem; } }
@media print { :root { --ink: #000; --soft: #444; --ground: #fff; --sheet: #fff; --line: #bbb;
  --good: #0d5c2f; --good-ground: #fff; --open: #7a4d00; --open-ground: #fff; --bad: #a01f16;
  --bad-ground: #fff; --plain: #444; }
  body { font-size: 10pt; } main { max-width: none; padding: 0; }
  .headline { border: 1pt solid currentColor; } h2, h3 { break-after: avoid; }
  dl > div, li { break-inside: avoid; } }
`;
