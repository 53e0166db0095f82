import { sha256Of } from '../../base/bytes.ts';

/** Style sheet: calm, readable from 320 px to large screens, in light and dark mode. */
export const pageStyle = `:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--paper:#fff;
--ground:#f3f4f6;--line:#d3d8de;--accent:#1f4e79;--on-accent:#fff;--bad:#9b1c1c;
--bad-ground:#fdecec;--good:#14532d;--good-ground:#e7f5ec;
--open:#6b4a00;--open-ground:#fff4d6}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a9b1ba;--paper:#1d2125;
--ground:#121416;--line:#3a4149;--accent:#8ab8e6;--on-accent:#0d1b29;--bad:#f6b0b0;
--bad-ground:#3a1d1d;--good:#a7e3bf;--good-ground:#173325;--open:#f2d488;
--open-ground:#37290a}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.55 system-ui,sans-serif;
overflow-wrap:anywhere}
.top{padding:1.25rem 1rem .25rem;max-width:42rem;margin:0 auto;color:var(--soft);font-weight:600}
.top img{display:block;max-height:3.5rem;max-width:100%;margin:0 0 .5rem;background:#fff;
padding:.25rem;border-radius:.3rem}
main{max-width:42rem;margin:0 auto;padding:.5rem 1rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 1rem}
h2{font-size:1.15rem;margin:0 0 .75rem}
p{margin:0 0 .9rem}
a{color:var(--accent)}
section,.note{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;
padding:1.1rem 1.1rem .4rem;margin:0 0 1rem}
p.note{padding-bottom:1.1rem}
.file{font-weight:600}.text{white-space:pre-line}
.soft{color:var(--soft);font-size:.95rem}
.bad{background:var(--bad-ground);color:var(--bad);border-color:currentColor}
.good{background:var(--good-ground);color:var(--good);border-color:currentColor}
.open{background:var(--open-ground);color:var(--open);border-color:currentColor}
.time{display:inline-block}
.test{border-style:dashed}
.verdict{background:var(--paper);color:var(--ink);border-left-width:.4rem}
.verdict.good{border-color:var(--good)}.verdict.open{border-color:var(--open)}
.verdict.bad{border-color:var(--bad)}
.sign{display:inline-block;min-width:1.2em;font-weight:700}
dl{margin:0 0 .9rem}dl div{margin:0 0 .5rem}dt{color:var(--soft);font-size:.95rem}dd{margin:0}
h3{font-size:1rem;margin:.6rem 0 .4rem}code{font-size:.9em}
input[type=file]{font:inherit;width:100%;padding:1.6rem 1rem;margin:0 0 .9rem;color:inherit;
border:2px dashed var(--soft);border-radius:.75rem;background:var(--ground)}
input[type=file]::file-selector-button{font:inherit;padding:.5rem .8rem;margin:0 .8rem .3rem 0}
.code{font-size:2.4rem;letter-spacing:.25em;font-weight:700;margin:.2rem 0 .9rem}
form{margin:0 0 .9rem}
.part{border:1px solid var(--line);border-radius:.75rem;background:var(--paper);min-width:0;
padding:1.1rem 1.1rem .4rem;margin:0 0 1rem}.part .part{padding:1.1rem 0 0;margin:0;border:0;
border-top:1px solid var(--line);border-radius:0}
.part>legend{float:left;width:100%;font-weight:600;font-size:1.15rem;padding:0;margin:0 0 .75rem}
.part>legend+*{clear:both}.part .part>legend{font-size:1rem}
.fault{color:var(--bad);margin:-.6rem 0 .9rem}[aria-invalid]{border:2px solid var(--bad)!important}
progress.steps{appearance:none;display:block;width:100%;height:.4rem;border:0;border-radius:.2rem;
background:var(--line);overflow:hidden;margin:0 0 .75rem}.steps::-webkit-progress-bar{
background:var(--line)}.steps::-webkit-progress-value{background:var(--accent)}
.steps::-moz-progress-bar{background:var(--accent)}
.one>legend{color:var(--soft);font-size:.95rem}.one .part{padding:0;border:0}
.one .part~.part{border-top:1px solid var(--line);padding-top:.9rem}
.part>legend:focus,h2:focus{outline:0}.row.later{margin:.6rem 0 0;gap:0 1.2rem}
.review dl>div+div{border-top:1px solid var(--line);margin-top:.6rem;padding-top:.6rem}
.help{color:var(--soft);font-size:.95rem;margin:0 0 .3rem}
label{display:block;font-weight:600;margin:0 0 .3rem}
label.check,label.choice{display:flex;gap:.6rem;align-items:flex-start;font-weight:400;
margin:0 0 .9rem;min-height:1.75rem}
input[type=checkbox],input[type=radio]{width:1.4rem;height:1.4rem;flex:none;margin:.1rem 0 0;
accent-color:var(--accent)}
input:is([type=text],[type=tel],[type=password],[type=email],[type=date]),textarea,
select{font:inherit;color:inherit;
background:var(--paper);border:1px solid var(--soft);border-radius:.5rem;padding:.6rem .7rem;
width:100%;max-width:24rem;margin:0 0 .9rem}
button,.button{font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.5rem;
padding:.7rem 1.2rem;min-height:2.9rem;background:var(--accent);color:var(--on-accent);
cursor:pointer;text-decoration:none;display:inline-block}
button.plain,.button.plain{background:transparent;color:var(--accent)}
:target{scroll-margin-top:6rem}
button.default{position:absolute;width:1px;height:1px;min-height:0;padding:0;border:0;
overflow:hidden;clip-path:inset(50%)}
button.link{border:0;background:none;color:var(--accent);padding:.35rem 0;min-height:2rem;
text-decoration:underline;text-align:left}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
summary{cursor:pointer;color:var(--soft);padding:.4rem 0;min-height:2rem}
.row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center}
.row form{margin:0 0 .7rem}
ul.plain{list-style:none;margin:0;padding:0}
[hidden]{display:none}
.reader{margin:.5rem 0 1rem}
.bar p{margin:0;flex:1 0 auto;white-space:nowrap}
.bar{margin-bottom:.5rem}
.bar button{padding:.4rem .8rem;min-height:2.4rem}
.pages{position:relative;overflow:auto;max-height:75vh;background:var(--ground);padding:.5rem;
border:1px solid var(--line);border-radius:.5rem}
.sheet{position:relative;margin:0 auto .75rem;background:#fff;overflow:hidden}
.picture{display:block;width:100%;height:100%}
.textLayer{color-scheme:only light;position:absolute;inset:0;overflow:clip;line-height:1;
text-align:initial;text-size-adjust:none;transform-origin:0 0;--min-font-size:1;
--text-scale-factor:calc(var(--total-scale-factor)*var(--min-font-size));
--min-font-size-inv:calc(1/var(--min-font-size))}
.textLayer :is(span,br){color:transparent;position:absolute;white-space:pre;transform-origin:0 0}
.textLayer>:not(.markedContent),.textLayer .markedContent span:not(.markedContent){--font-height:0;
font-size:calc(var(--text-scale-factor)*var(--font-height));--scale-x:1;--rotate:0deg;
transform:rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv))}
.textLayer .markedContent{display:contents}
.way .own{margin:0 0 .9rem;padding-left:2rem}
@supports selector(:has(*)){.way:not(:has(:checked)) .own{display:none}}
fieldset{border:0;padding:0;margin:0 0 .9rem;min-width:0}
legend{font-weight:600;padding:0;margin:0 0 .4rem}
.pad{display:block;width:100%;max-width:36rem;aspect-ratio:3;touch-action:none;cursor:crosshair;
background:var(--paper);border:2px dashed var(--soft);border-radius:.5rem;margin:0 0 .6rem}
.look .bad{padding:.4rem .6rem;border-radius:.4rem}
.look button{padding:.4rem .8rem;min-height:2.4rem}
.qr{background:#fff;padding:.5rem;width:15rem;max-width:100%;border-radius:.5rem}
.language{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap}
.language select{width:auto;margin:0}
.language label{font-weight:400;color:var(--soft);margin:0}
footer{max-width:42rem;margin:0 auto;padding:0 1rem 2rem}
body.framed .top,body.framed footer{display:none}
body.framed main{padding-top:.75rem}
@media (max-width:24rem){main,.top,footer{padding-left:.75rem;padding-right:.75rem}
button,.button{width:100%;text-align:center}button.link{width:auto;text-align:left}
.language button,.bar button{width:auto}}
@media (prefers-reduced-motion:no-preference){button,.button{transition:opacity .15s}
button:active{opacity:.8}}
@media print{:root{--ink:#000;--soft:#444;--paper:#fff;--ground:#fff;--line:#bbb}
form:not(.review),details,footer,.top,.button,.row,.review a,.saved{display:none}
section{border:0;padding:0}}
`;

/** Version of the style sheet in its address, so that browsers may cache it permanently. */
export const pageStyleVersion = sha256Of(pageStyle).slice(0, 16);
