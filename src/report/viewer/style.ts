/** The look of the page. Colours come in pairs for light and dark; outcomes have one colour everywhere. */

export const style = /* css */ `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f5f1, #0e0f11);
  --card: light-dark(#ffffff, #17181b);
  --well: light-dark(#f7f6f3, #101114);
  --line: light-dark(#e7e4dd, #2a2c31);
  --ink: light-dark(#1b1a18, #eceae6);
  --soft: light-dark(#68645d, #9c9a96);
  --accent: light-dark(#4f46c9, #a5a0ff);
  --model: light-dark(#8b84e6, #7a73e0);
  --ok: light-dark(#26a483, #2fb390);
  --exit: light-dark(#d99a0b, #e0a82e);
  --failed: light-dark(#e0671b, #f08a45);
  --denied: light-dark(#cf2f4a, #f2637a);
  --unfinished: light-dark(#b5b1a8, #5d5f66);
  --tint-ok: light-dark(#e4f4ee, #10291f);
  --tint-bad: light-dark(#fdecee, #331519);
  --tint-warn: light-dark(#fdf1e3, #2f2110);
  --shadow: light-dark(0 1px 2px rgb(40 35 20 / 5%), 0 0 0 rgb(0 0 0 / 0%));
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Inter, Roboto, "Noto Sans", "Open Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--ink);
  font: 15px/1.55 var(--sans);
  font-variant-numeric: tabular-nums;
  -webkit-text-size-adjust: 100%;
}
main { max-width: 1180px; margin: 0 auto; padding: 20px 28px 80px; }
h1, h2, h3, h4, p, dl, dd, ol, ul, pre { margin: 0; }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.icon { width: 16px; height: 16px; flex: none; }
.icon path { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.soft { color: var(--soft); }
.empty { color: var(--soft); }
.plus { color: var(--ok); }
.minus { color: var(--denied); }
code, pre, kbd { font-family: var(--mono); font-size: 0.87em; }
/* A ligature would show other characters than the command has. */
code, pre, .name, .title, .tip span { font-variant-ligatures: none; }

.brand { display: flex; gap: 8px; align-items: center; font-size: 13px; font-weight: 600; letter-spacing: 0.01em; }
.brand .soft { font-weight: 400; flex: 1; }
.theme { border: 0; background: none; padding: 8px; margin: -4px -8px -4px 0; border-radius: 8px; color: var(--soft); display: flex; }
.theme:hover { color: var(--ink); background: var(--line); }

.stage { scroll-margin-top: 6px; }
.hero { display: grid; grid-template-columns: auto 1fr; gap: 0 20px; padding: 30px 0 24px; align-items: start; }
.hero > :not(.seal, .seal + div) { grid-column: 1 / -1; }
.seal { width: 52px; height: 52px; border-radius: 50%; display: grid; place-items: center; background: var(--mood); color: var(--card); margin-top: 4px; }
.seal .icon { width: 28px; height: 28px; }
:where(.hero, .runs tr, .badge) { --mood: var(--unfinished); }
[data-outcome="completed"] { --mood: var(--ok); }
[data-outcome="ok"] { --mood: var(--ok); }
[data-outcome="exit"] { --mood: var(--exit); }
[data-outcome="failed"], [data-outcome="timed-out"], [data-outcome="unmet"] { --mood: var(--failed); }
[data-outcome="denied"] { --mood: var(--denied); }
[data-outcome="cancelled"], [data-outcome="unfinished"], [data-outcome="unknown"] { --mood: var(--unfinished); }
h1 {
  font-size: clamp(22px, 3.1vw, 33px);
  line-height: 1.18;
  letter-spacing: -0.021em;
  font-weight: 680;
  text-wrap: balance;
  overflow-wrap: anywhere;
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;
}
.sentence { font-size: 17px; line-height: 1.5; margin-top: 10px; max-width: 68ch; text-wrap: pretty; }
.sentence .outcome { color: color-mix(in oklab, var(--mood) 82%, var(--ink)); }
.sentence .denied { color: var(--denied); font-weight: 600; text-underline-offset: 3px; text-decoration-thickness: 1px; }
.facts { overflow-wrap: anywhere; color: var(--soft); font-size: 13px; margin-top: 8px; display: flex; flex-wrap: wrap; gap: 2px 16px; }
.prompt { margin-top: 16px; }
.prompt summary { color: var(--accent); cursor: pointer; font-size: 14px; width: fit-content; }
.prompt .prose { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 18px; margin-top: 8px; }
.trouble { background: var(--tint-warn); border-radius: 12px; padding: 12px 16px; margin-top: 18px; overflow-wrap: anywhere; }
.trouble p + p { margin-top: 6px; }
.trouble code { font-weight: 600; }
.trouble .advice { font-weight: 600; }
.hero[data-outcome="denied"] .trouble { background: var(--tint-bad); }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); margin-top: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shadow); overflow: hidden; }
.tile { padding: 15px 18px 14px; box-shadow: -1px -1px 0 var(--line); }
.tile dt { font-size: 12px; color: var(--soft); letter-spacing: 0.02em; }
.tile dd { font-size: 23px; font-weight: 640; letter-spacing: -0.02em; line-height: 1.3; white-space: nowrap; }
.tile p { font-size: 12.5px; color: var(--soft); }
.tile[data-mood="bad"] dd { color: var(--denied); }
.tile[data-mood="warn"] p { color: color-mix(in oklab, var(--failed) 80%, var(--ink)); }

.columns { display: grid; grid-template-columns: minmax(0, 1.35fr) minmax(0, 1fr); gap: 20px; align-items: start; }
.columns > div { display: grid; gap: 20px; }
.columns > div:empty { display: none; }
.columns:has(> div:last-child:empty) { grid-template-columns: minmax(0, 1fr); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 20px 24px 22px; box-shadow: var(--shadow); min-width: 0; }
.timeline { margin-bottom: 20px; }
.list { margin-top: 20px; scroll-margin-top: 8px; }
h2 { font-size: 15px; font-weight: 650; letter-spacing: -0.005em; margin-bottom: 12px; }
h3 { font-size: 13px; font-weight: 600; color: var(--soft); margin: 14px 0 4px; }
h2 .number { background: var(--denied); color: var(--card); border-radius: 20px; padding: 1px 9px; font-size: 13px; margin-left: 4px; }
.title-line { display: flex; align-items: baseline; gap: 8px 20px; flex-wrap: wrap; margin-bottom: 8px; }
.title-line h2 { margin: 0; }

.expectations { margin-bottom: 20px; }
.expectations ul { list-style: none; padding: 0; display: grid; gap: 5px; font-size: 14px; overflow-wrap: anywhere; }
.expectations li { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 10px; }
.expectations li .icon { color: var(--mood); margin-top: 3px; }
.expectations li strong { color: color-mix(in oklab, var(--mood) 82%, var(--ink)); font-weight: 600; margin-right: 4px; }
.expectations .more ul { margin-top: 8px; }
.expectations .title-line .soft { font-size: 13px; }

.prose { overflow-wrap: anywhere; max-width: 76ch; }
.prose > * + * { margin-top: 0.75em; }
.prose p { white-space: pre-line; }
.prose h3, .prose h4, .prose h5, .prose h6 { color: var(--ink); font-size: 15px; font-weight: 650; margin-top: 1.3em; }
.prose h3 { font-size: 17px; letter-spacing: -0.01em; }
.prose > :first-child { margin-top: 0; }
.prose ul, .prose ol { padding-left: 1.35em; }
.prose li + li { margin-top: 0.25em; }
.prose li[data-depth="1"] { margin-left: 1.3em; }
.prose li[data-depth="2"] { margin-left: 2.6em; }
.prose li[data-depth="3"] { margin-left: 3.9em; }
.prose code { background: var(--well); border: 1px solid var(--line); border-radius: 5px; padding: 0.08em 0.34em; }
.prose pre code { background: none; border: 0; padding: 0; font-size: inherit; }
.prose blockquote { margin-left: 0; padding-left: 14px; border-left: 3px solid var(--line); color: var(--soft); white-space: pre-line; }
.prose hr { border: 0; border-top: 1px solid var(--line); }
.prose .link { text-decoration: underline dotted; text-underline-offset: 3px; }
.prose .target { color: var(--soft); font-size: 0.9em; }
.scroll { overflow-x: auto; }
.prose table { border-collapse: collapse; font-size: 14px; }
.prose th, .prose td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
pre { background: var(--well); border: 1px solid var(--line); border-radius: 10px; padding: 11px 14px; overflow: auto; line-height: 1.55; font-size: 12.5px; tab-size: 4; }

.denials ol { list-style: none; padding: 0; }
.denial { padding: 14px 0; border-top: 1px solid var(--line); }
.denial:first-child { border-top: 0; padding-top: 2px; }
.denial:last-child { padding-bottom: 0; }
.denial p { font-size: 14px; margin-top: 5px; overflow-wrap: anywhere; }
.denial .approved { display: flex; gap: 7px; align-items: center; color: color-mix(in oklab, var(--ok) 78%, var(--ink)); font-weight: 600; }
.what-line { display: flex; gap: 10px; align-items: baseline; }
.kind { flex: none; max-width: 40%; overflow-wrap: anywhere; font-size: 12px; font-weight: 600; color: var(--denied); }
.what { min-width: 0; overflow-wrap: anywhere; font-weight: 600; }
.times { color: var(--soft); font-size: 13px; }
.more summary { color: var(--accent); cursor: pointer; font-size: 14px; margin-top: 14px; width: fit-content; }
.more ol { margin-top: 14px; border-top: 1px solid var(--line); padding-top: 14px; }
.denials mark { background: var(--tint-bad); color: var(--denied); border-radius: 4px; padding: 1px 3px; text-decoration: underline wavy 1px; text-underline-offset: 4px; }
.suggest { margin-top: 10px; background: var(--well); border-radius: 10px; padding: 10px 14px 12px; }
.suggest > p { margin: 0; color: var(--soft); font-size: 13px; }
.rule { margin-top: 5px; display: grid; gap: 1px; }
.rule > code { user-select: all; font-weight: 600; color: var(--accent); overflow-wrap: anywhere; }
.rule span { font-size: 13px; color: var(--soft); }
.rule[data-danger] > code { color: var(--denied); }
.jump, .reset { border: 0; background: none; padding: 0; margin-top: 8px; color: var(--accent); font-size: 13.5px; }
.jump:hover, .reset:hover { text-decoration: underline; text-underline-offset: 3px; }
.reset { margin: 0 0 0 auto; }

.tools table { width: 100%; border-collapse: collapse; }
.tools th, .tools td { padding: 4px 0; text-align: right; font-weight: 400; white-space: nowrap; }
.tools th { text-align: left; max-width: 12em; }
.tools th button { border: 0; background: none; padding: 0; font: 13px/1.5 var(--mono); max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.tools th button:hover { color: var(--accent); text-decoration: underline; text-underline-offset: 3px; }
.tools td { padding-left: 14px; font-size: 13.5px; }
.tools .wide { width: 60%; }
.tools .bar { display: flex; gap: 1.5px; height: 9px; }
.tools .bar i { background: var(--mood); border-radius: 3px; min-width: 3px; }
.tools .empty { margin-top: 6px; font-size: 13.5px; }
.files ul { list-style: none; padding: 0; display: grid; gap: 3px; overflow-wrap: anywhere; }

.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 12.5px; color: var(--soft); }
.legend span { display: inline-flex; align-items: center; gap: 6px; }
.legend span::before { content: ""; width: 10px; height: 10px; border-radius: 3px; background: var(--look); }
.legend em { font-style: normal; margin-left: auto; }
.title-line .legend em { margin-left: 0; opacity: 0.75; }
[data-look="model"], [data-look="input"] { --look: var(--model); }
[data-look="ok"] { --look: var(--ok); }
[data-look="exit"] { --look: var(--exit); }
[data-look="failed"] { --look: var(--failed); }
[data-look="denied"] { --look: var(--denied); }
[data-look="unfinished"] { --look: var(--unfinished); }
[data-look="cached"] { --look: color-mix(in oklab, var(--model) 38%, var(--card)); }
[data-look="output"] { --look: var(--accent); }
[data-look="cost"] { --look: var(--exit); }
.legend [data-look="cost"]::before { height: 3px; border-radius: 2px; }
.picture { position: relative; user-select: none; min-height: 90px; }
.picture svg { display: block; cursor: crosshair; touch-action: pan-y; }
svg text { font: 11px var(--sans); fill: var(--soft); }
svg .agent { font-weight: 600; fill: var(--ink); }
.tick { stroke: var(--line); stroke-dasharray: 2 3; }
.turn { fill: var(--well); stroke: var(--line); }
.band { fill: color-mix(in oklab, var(--accent) 7%, transparent); stroke: color-mix(in oklab, var(--accent) 20%, transparent); }
svg .bar { fill: var(--look); }
svg .bar[data-look="unfinished"] { fill: color-mix(in oklab, var(--unfinished) 38%, var(--card)); }
.picture .bar[data-look="unfinished"] { stroke: color-mix(in oklab, var(--unfinished) 55%, var(--soft)); stroke-dasharray: 4 3; }
.legend [data-look="unfinished"]::before, .tools .bar i[data-outcome="unfinished"] { background: color-mix(in oklab, var(--unfinished) 38%, var(--card)); border: 1px dashed color-mix(in oklab, var(--unfinished) 55%, var(--soft)); }
.picture .bar { cursor: pointer; }
.picture .bar:hover { filter: brightness(1.12) saturate(1.2); }
.brush { fill: color-mix(in oklab, var(--accent) 16%, transparent); pointer-events: none; }
.tip { position: absolute; z-index: 5; pointer-events: none; max-width: 300px; background: var(--ink); color: var(--page); border-radius: 9px; padding: 8px 12px; font-size: 12.5px; line-height: 1.4; display: grid; gap: 1px; }
.tip[hidden] { display: none; }
.tip span { font-family: var(--mono); font-size: 11.5px; overflow-wrap: anywhere; max-height: 4.3em; overflow: hidden; }
.tip em { font-style: normal; opacity: 0.75; }
.usage-chart { min-height: 84px; }
.usage-chart svg { display: block; border-bottom: 1px solid var(--line); }
.usage-chart .input { fill: var(--model); }
.usage-chart .cached { fill: color-mix(in oklab, var(--model) 38%, var(--card)); }
.usage-chart .output { fill: var(--accent); }
.usage-chart .cost { fill: none; stroke: var(--exit); stroke-width: 2; stroke-linejoin: round; }
.usage-chart + .legend { margin-top: 8px; }

.status { color: var(--soft); font-size: 13px; margin-left: auto; }
.toolbar-host { position: sticky; top: 0; z-index: 4; background: var(--card); margin: 0 -24px; padding: 8px 24px 10px; border-bottom: 1px solid var(--line); }
.toolbar { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.search { flex: 1 1 260px; display: flex; align-items: center; gap: 8px; background: var(--well); border: 1px solid var(--line); border-radius: 10px; padding: 0 10px; color: var(--soft); }
.search:focus-within { border-color: var(--accent); }
.search input { flex: 1; min-width: 0; border: 0; background: none; padding: 8px 0; outline: none; color: var(--ink); font-size: 14px; }
.search kbd { border: 1px solid var(--line); border-radius: 5px; padding: 0 6px; font-size: 11px; background: var(--card); }
.selects { display: flex; gap: 8px; flex-wrap: wrap; }
select { text-overflow: ellipsis; border: 1px solid var(--line); border-radius: 10px; background: var(--well); padding: 7px 8px; font-size: 13.5px; max-width: 12em; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chip { border: 1px solid var(--line); background: none; border-radius: 20px; padding: 3px 11px; font-size: 13px; color: var(--soft); display: inline-flex; gap: 6px; }
.chip span { opacity: 0.7; }
.chip[aria-pressed="true"] { background: color-mix(in oklab, var(--accent) 11%, var(--card)); border-color: color-mix(in oklab, var(--accent) 32%, var(--line)); color: var(--ink); }

/* Fewer results must not make the page so short that the search jumps. */
.list:has(input:is(:focus, :not(:placeholder-shown))) { min-height: 100vh; }
.rows { margin: 0 -24px; }
.nothing { padding: 44px 24px 30px; text-align: center; color: var(--soft); }
.everything { margin-top: 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--well); padding: 7px 16px; font-size: 14px; color: var(--accent); }
.everything:hover { border-color: var(--accent); }
.row { border-bottom: 1px solid color-mix(in oklab, var(--line) 60%, transparent); --mood: var(--line); }
.row[data-kind="model"] { --mood: var(--model); }
.row[data-kind="prompt"], .row[data-kind="agent"] { --mood: var(--accent); }
.row[data-kind="tool"][data-outcome="ok"] { --mood: var(--ok); }
.row[data-outcome="exit"] { --mood: var(--exit); }
.row[data-outcome="failed"] { --mood: var(--failed); }
.row[data-outcome="denied"] { --mood: var(--denied); }
.row[data-outcome="denied"] .line { background: color-mix(in oklab, var(--tint-bad) 55%, transparent); }
.row[data-outcome="unfinished"] { --mood: var(--unfinished); }
.line { width: 100%; height: 37px; border: 0; background: none; text-align: left; display: grid; grid-template-columns: 56px calc(12px + var(--depth) * 20px) minmax(60px, 132px) minmax(0, 1fr) auto 128px 16px; gap: 0 10px; align-items: center; padding: 0 24px; font-size: 14px; }
.line:hover { background: color-mix(in oklab, var(--accent) 5%, transparent); }
.line:focus-visible { outline-offset: -2px; }
.when { color: var(--soft); font-size: 12.5px; text-align: right; }
.dot { width: 9px; height: 9px; border-radius: 50%; background: var(--mood); justify-self: end; }
.row[data-kind="tool"] .dot { border-radius: 3px; }
.name { font: 600 12.5px var(--mono); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.row[data-kind="model"] .name, .row[data-kind="event"] .name, .row[data-kind="notice"] .name { font-weight: 400; color: var(--soft); }
.title { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; color: color-mix(in oklab, var(--ink) 86%, var(--soft)); }
.row[data-kind="tool"] .title { font-family: var(--mono); font-size: 12.5px; }
.row[data-kind="prompt"] .title { font-weight: 600; }
.badge { border-radius: 20px; padding: 1px 9px; font-size: 12px; font-weight: 600; white-space: nowrap; color: color-mix(in oklab, var(--mood) 78%, var(--ink)); background: color-mix(in oklab, var(--mood) 15%, var(--card)); }
.took { display: grid; grid-template-columns: 1fr 62px; gap: 8px; align-items: center; color: var(--soft); font-size: 12.5px; text-align: right; grid-column: 6; }
.took .bar { height: 5px; border-radius: 3px; background: var(--mood); opacity: 0.55; justify-self: end; }
.line > .icon { width: 12px; height: 12px; color: var(--soft); transition: transform 0.12s; grid-column: 7; }
.line[aria-expanded="true"] > .icon { transform: rotate(90deg); }
.details { padding: 4px 24px 18px calc(112px + var(--depth) * 20px); display: grid; gap: 12px; }
.part h4 { font-size: 12px; font-weight: 600; color: var(--soft); margin-bottom: 4px; }
.part pre { max-height: 440px; white-space: pre-wrap; overflow-wrap: anywhere; }
.words { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 80ch; }
.pairs { display: grid; gap: 6px; }
.pair { display: grid; grid-template-columns: 150px minmax(0, 1fr); gap: 10px; align-items: baseline; }
.pair dt { font: 12.5px var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.pair pre { max-height: 300px; padding: 6px 12px; }
.diff { padding: 8px 0; }
.diff span { display: block; padding: 0 14px; }
.diff .add { background: light-dark(#e5f5ec, #12291f); color: light-dark(#0f5c41, #8fdcbd); }
.diff .del { background: light-dark(#fdeaec, #32171b); color: light-dark(#93203a, #f7a8b4); }
.diff .hunk, .diff .meta { color: var(--soft); }
.details .facts { margin: 0; font-size: 12.5px; display: block; }

.runs { margin: 18px 0 10px; }
.runs .sentence { margin: 0 0 14px; font-size: 15px; }
.runs table { width: 100%; border-collapse: collapse; font-size: 14px; }
.runs th, .runs td { text-align: right; padding: 8px 0 8px 16px; border-top: 1px solid var(--line); white-space: nowrap; font-weight: 400; }
.runs thead th { border: 0; color: var(--soft); font-size: 12.5px; padding-top: 0; }
.runs th:first-child { text-align: left; padding-left: 10px; width: 42%; max-width: 0; }
.runs tbody th > div { display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 0 10px; align-items: center; color: var(--mood); }
.runs tbody th :is(button, .soft) { grid-column: 2; overflow: hidden; text-overflow: ellipsis; }
.runs tbody th button { border: 0; background: none; padding: 0; text-align: left; font-weight: 600; color: var(--ink); }
.runs tbody th .soft { font-size: 12.5px; }
.runs tbody tr { cursor: pointer; }
.runs tbody tr:hover { background: color-mix(in oklab, var(--accent) 4%, transparent); }
.runs tbody tr:hover button { color: var(--accent); text-decoration: underline; text-underline-offset: 3px; text-decoration-thickness: 1px; }
.runs tr[aria-current="true"] { background: color-mix(in oklab, var(--accent) 8%, transparent); box-shadow: inset 3px 0 0 var(--accent); }
.runs tfoot th, .runs tfoot td { font-weight: 600; }
.runs td[data-mood="bad"] { color: var(--denied); font-weight: 600; }
.runs .wide { width: 24%; min-width: 110px; }
.runs .go { width: 30px; padding: 0 8px 0 10px; color: var(--soft); }
.runs .go .icon { width: 12px; height: 12px; display: block; }
.runs tr:is(:hover, [aria-current="true"]) .go { color: var(--accent); }
.back { border: 0; background: none; padding: 6px 0; margin-bottom: -24px; color: var(--accent); font-size: 13.5px; }
.back:hover { text-decoration: underline; text-underline-offset: 3px; }
.strip { width: 100%; height: 14px; display: block; }

@media (max-width: 900px) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .runs { overflow: hidden; }
  .runs thead, .runs tfoot .gap, .runs tfoot .go { display: none; }
  .runs :is(table, tbody, tfoot) { display: block; }
  .runs tr { position: relative; display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); align-items: center; gap: 8px; margin: 0 -24px; padding: 13px 24px; border-top: 1px solid var(--line); }
  .runs :is(th, td), .runs th:first-child { padding: 0; border: 0; text-align: left; max-width: none; width: auto; }
  .runs tr > th { grid-column: 1 / -1; margin-right: 26px; }
  .runs tbody th > div { align-items: start; }
  .runs tbody th .icon { margin-top: 3px; }
  .runs tbody th button { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; }
  .runs tbody th + td { grid-column: 1 / -1; margin: -4px 0 0 26px; }
  .runs .wide { grid-column: 1 / -1; width: auto; min-width: 0; order: 1; }
  .runs .strip { height: 8px; border-radius: 3px; }
  .runs .number::before { content: attr(data-name); display: block; font-size: 11.5px; font-weight: 400; color: var(--soft); }
  .runs .go { position: absolute; right: 24px; top: 18px; }
}
@media (max-width: 640px) {
  main { padding: 14px 16px 60px; }
  .hero { gap: 0 14px; padding: 22px 0 18px; }
  .seal { width: 38px; height: 38px; margin-top: 0; }
  .seal .icon { width: 21px; height: 21px; }
  .sentence { font-size: 16px; }
  .tiles { grid-template-columns: repeat(2, 1fr); }
  .tile { padding: 12px 15px; }
  .tile dd { font-size: 20px; }
  .card { padding: 16px 16px 18px; border-radius: 14px; }
  .runs tr { grid-template-columns: 1.5fr 1fr 1fr 1.2fr 1fr; margin: 0 -16px; padding: 13px 16px; }
  .runs .number { white-space: normal; }
  .runs .go { right: 16px; }
  .search kbd, .title-line .legend em { display: none; }
  .toolbar-host { position: static; }
  .toolbar-host, .rows { margin: 0 -16px; padding-left: 16px; padding-right: 16px; }
  .rows { padding: 0; }
  .selects { width: 100%; }
  .selects select { flex: 1; max-width: none; min-width: 0; }
  .line { height: 57px; grid-template-columns: calc(9px + min(var(--depth), 3) * 12px) minmax(0, 1fr) auto auto; grid-template-rows: auto auto; padding: 7px 16px; gap: 0 9px; }
  .when { display: none; }
  .dot { grid-row: 1; grid-column: 1; }
  .name { grid-row: 1; grid-column: 2; }
  .title { grid-row: 2; grid-column: 2 / -1; }
  .badge { grid-row: 1; grid-column: 3; }
  .took { grid-row: 1; grid-column: 4; grid-template-columns: auto; }
  .took .bar, .line > .icon { display: none; }
  .details { padding: 2px 16px 16px; }
  .pair { grid-template-columns: minmax(0, 1fr); gap: 2px; }
  .part pre { max-height: 320px; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --shadow: none; }
  * { print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  .theme, .toolbar-host, .jump, .reset, .back, .runs .go, .line > .icon, .title-line .legend em { display: none; }
  .columns { grid-template-columns: minmax(0, 1fr); }
  .card, .tiles { break-inside: auto; border-radius: 8px; }
  .row, .denial, .tile { break-inside: avoid; }
  .part pre, .pair pre { max-height: none; }
}
`;
