// Usage over time: rates down above the axis and up below it, and under them the delay.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { getIfThere } from "./api.js";
import { axisRate, local, millis, percent, rate } from "./format.js";
import { Awaited, Empty, Table, Time, html, useAsked } from "./parts.js";

const NOW = "now";
const USUAL = "1h";

/** Fewer points of an hour than this make no chart. */
const FEW_POINTS = 10;

const RANGES = [
  [NOW, "5 minutes", 300],
  ["1h", "1 hour", 3600],
  ["6h", "6 hours", 6 * 3600],
  ["2d", "2 days", 48 * 3600],
  ["31d", "31 days", 31 * 86400],
];

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Loads the library's own style when the first chart is drawn. */
function styled() {
  if (!document.querySelector("link[data-chart]")) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = "page/lib/uplot/uPlot.min.css";
    link.dataset.chart = "";
    document.head.append(link);
  }
}

/** The numbers of points by series, with gaps where nothing is known. */
function columns(points, series) {
  return [
    points.map((point) => Date.parse(point.at) / 1000),
    ...series.map(({ of }) => points.map((point) => of(point) ?? null)),
  ];
}

/** A chart of a height that follows the width of its place and the colours of the mode. */
function Drawing({ points, series, height, written, label, zero }) {
  const place = useRef(null);
  useEffect(() => {
    styled();
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const chart = new uPlot(
      {
        width: place.current.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 5 } },
        padding: [8, 8, 0, 0],
        scales: { y: { range: (_, low, high) => spread(low, high, zero) } },
        axes: [
          { ...axis, space: 90, values: [[86400, "{D} {MMM}", null, null, null, null, null, null, 1], [60, "{HH}:{mm}", "\n{D} {MMM}", null, null, null, null, null, 1], [1, "{HH}:{mm}:{ss}", "\n{D} {MMM}", null, null, null, null, null, 1]] },
          { ...axis, size: 84, values: (_, all) => all.map(written) },
        ],
        series: [
          {},
          ...series.map((each) => ({
            label: each.name,
            stroke: colour(each.colour),
            fill: each.fill && `${colour(each.colour)}26`,
            width: each.fill ? 1.5 : 1.25,
            dash: each.dash,
            spanGaps: false,
            // A point without neighbours makes no line.
            points: { show: points.filter((point) => (each.of(point) ?? null) !== null).length < 3, size: 5 },
          })),
        ],
      },
      columns(points, series),
      place.current,
    );
    const seen = new ResizeObserver(() => chart.setSize({ width: place.current.clientWidth, height }));
    seen.observe(place.current);
    return () => {
      seen.disconnect();
      chart.destroy();
    };
  }, [points, matchMedia("(prefers-color-scheme: dark)").matches]);
  return html`<div class="drawing" ref=${place} role="img" aria-label=${label}></div>`;
}

/** The range of an axis: with some air, and never of no height. */
function spread(low, high, isBothWays) {
  if (low === null) {
    return isBothWays ? [-1e6, 1e6] : [0, 10];
  }
  return isBothWays ? [Math.min(low * 1.1, -1e3), Math.max(high * 1.1, 1e3)] : [0, Math.max(high * 1.1, 1)];
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const minus = (value) => (value === null || value === undefined ? value : -value);

function Legend({ of }) {
  return html`<ul class="legend">${of.map((each) => html`<li><i class=${each.className}></i>${each.name}</li>`)}</ul>`;
}

/** What took packets from it, by colour and in words. */
const LOSSES = {
  none: ["good", "nothing lost"],
  limit: ["limited", "dropped under its limits"],
  port: ["congested", "dropped at a congested port"],
  suspended: ["held", "suspended"],
  gap: ["gap", "not measured"],
};

/** A part that is no loss: packets under way, and the end of one reading. */
const UNDER_WAY = 0.005;
const FEW_BPS = 20_000;

/** Where most of what was lost in one direction went. */
function loss(rates) {
  if (!rates) {
    return "gap";
  }
  const { gotBps = 0, offeredBps = gotBps, policedBps = 0, overflowedBps = 0, droppedBps = 0, suspendedBps = 0 } = rates;
  if (suspendedBps > 0) {
    return "suspended";
  }
  const under = policedBps + overflowedBps + droppedBps;
  const behind = offeredBps - gotBps - under;
  const least = Math.max(FEW_BPS, UNDER_WAY * offeredBps);
  return behind > Math.max(least, under) ? "port" : under > least / 10 ? "limit" : "none";
}

/** A strip of colours under the chart: where packets were lost. */
function Strip({ points, direction }) {
  const spans = [];
  points.forEach((point, i) => {
    const what = loss(point[direction]);
    // A point is of the time before it.
    const from = points[i - 1]?.at ?? point.at;
    const length = Date.parse(point.at) - Date.parse(from);
    if (spans.at(-1)?.what === what) {
      spans.at(-1).length += length;
      spans.at(-1).to = point.at;
    } else {
      spans.push({ what, length, from, to: point.at });
    }
  });
  const told = Object.keys(LOSSES)
    .map((what) => [what, points.filter((point) => loss(point[direction]) === what).length])
    .filter(([, times]) => times > 0)
    .map(([what, times]) => `${LOSSES[what][1]} in ${percent(times / points.length)} of the time`);
  return html`<div class="strip" role="img" aria-label=${`${direction}: ${told.join(", ")}`}>
    <span class="name">${direction}</span>
    <span class="spans">${spans.map(
      ({ what, length, from, to }) => html`<i class=${LOSSES[what][0]} style=${{ flexGrow: length }} title=${`${LOSSES[what][1]}, ${local(from)} to ${local(to)}`}></i>`,
    )}</span>
  </div>`;
}

function Strips({ points }) {
  const directions = ["down", "up"].filter((direction) => points.some((point) => point[direction]?.offeredBps > 0));
  const seen = new Set(directions.flatMap((direction) => points.map((point) => loss(point[direction]))));
  return (
    directions.length > 0 &&
    html`<h3>What it lost</h3>
      <ul class="legend">${Object.entries(LOSSES)
        .filter(([what]) => seen.has(what))
        .map(([, [tone, words]]) => html`<li><i class="patch ${tone}"></i>${words}</li>`)}</ul>
      ${directions.map((direction) => html`<${Strip} points=${points} direction=${direction} />`)}`
  );
}

/** A length of time in words. */
function span(seconds) {
  return seconds >= 3600 ? `${seconds / 3600} h` : seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
}

/** The range that the address names, so that what is seen can be shared. */
function addressed() {
  const named = new URLSearchParams(location.hash.split("?")[1]).get("range");
  return RANGES.some(([name]) => name === named) ? named : null;
}

function address(range) {
  const [path, query] = location.hash.split("?");
  const all = new URLSearchParams(query);
  all.set("range", range);
  history.replaceState(null, "", `${path}?${all}`);
}

/**
 * What a subscriber, a tree, a port or a policy offered and got over time.
 *
 * @param live points of the last minutes, if the view has them
 */
export function Usage({ kind, path, limits = {}, live }) {
  const [chosen, setChosen] = useState(addressed());
  const usage = useAsked(
    (signal) => {
      const seconds = RANGES.find(([name]) => name === (chosen && chosen !== NOW ? chosen : USUAL))[2];
      const to = new Date();
      const from = new Date(to - seconds * 1000);
      return getIfThere(kind, `${path}?from=${from.toISOString()}&to=${to.toISOString()}`, { signal }).then((value) => value ?? null);
    },
    [path, chosen],
    10,
  );
  return html`<${Awaited} of=${usage}>${(told) => {
    const measured = told?.points.filter((point) => point.down || point.up).length ?? 0;
    // In the first minutes the page itself sees more than what is kept of an hour.
    const range = chosen && (live || chosen !== NOW) ? chosen : live && measured < FEW_POINTS ? NOW : USUAL;
    const points = range === NOW ? live : (told?.points ?? []);
    const offered = RANGES.filter(([name]) => (name === NOW ? live : told !== null));
    const step = range === NOW ? 2 : told?.stepSeconds;
    return html`
      <div class="ranges" role="group" aria-label="Range">
        ${offered.map(([name, words]) => html`<button class="quiet" aria-pressed=${name === range} onClick=${() => {
          address(name);
          setChosen(name);
        }}>${words}</button>`)}
        <span class="hint">${step ? `a point is ${span(step)}` : ""}</span>
      </div>
      ${told === null && !live
        ? html`<${Empty}>This controller does not measure usage: start it with <code>--usage-interval 1m</code>.<//>`
        : points.some((point) => point.down || point.up)
          ? html`<${Charts} points=${points} limits=${limits} range=${RANGES.find(([name]) => name === range)[1]} />`
          : html`<${Empty}>${range === NOW ? "Two readings are needed; the second comes in seconds." : "Nothing was measured in this time. The first figures come with the second sweep, two minutes after the start."}<//>`}
    `;
  }}<//>`;
}

/** Rates, losses and delays of points. */
export function Charts({ points, limits = {}, range, directions = ["down", "up"], got = "got" }) {
  // Far more than it wants makes no line: it would press the others to the axis.
  const near = (direction) => {
    const most = Math.max(limits[direction] ?? 0, ...points.map((point) => Math.max(point[direction]?.offeredBps ?? 0, point[direction]?.gotBps ?? 0)));
    return (point) => (point[direction]?.entitledBps <= 1.5 * most ? point[direction].entitledBps : null);
  };
  const entitled = { down: near("down"), up: near("up") };
  const has = (of) => points.some((point) => (of(point) ?? null) !== null);
  const series = [
    { of: (point) => point.down?.offeredBps, name: "offered", colour: "--offered", dash: [3, 3] },
    { of: (point) => point.down?.gotBps, name: "got", colour: "--got", fill: true },
    { of: (point) => minus(point.up?.offeredBps), name: "offered", colour: "--offered", dash: [3, 3] },
    { of: (point) => minus(point.up?.gotBps), name: "got", colour: "--got", fill: true },
    { of: entitled.down, name: "entitled", colour: "--entitled", dash: [6, 3, 2, 3] },
    { of: (point) => minus(entitled.up(point)), name: "entitled", colour: "--entitled", dash: [6, 3, 2, 3] },
    ...(limits.down ? [{ of: () => limits.down, name: "limit", colour: "--limit", dash: [8, 4] }] : []),
    ...(limits.up ? [{ of: () => -limits.up, name: "limit", colour: "--limit", dash: [8, 4] }] : []),
  ].filter(({ of }) => has(of));
  const delays = [
    { of: (point) => point.down?.delayMillis?.p95, name: "down, 95 of 100 packets", colour: "--delay" },
    { of: (point) => point.up?.delayMillis?.p95, name: "up, 95 of 100 packets", colour: "--delay", dash: [3, 3] },
  ].filter(({ of }) => has(of));
  const isBothWays = points.some((point) => point.up?.offeredBps > 0 || point.up?.gotBps > 0) || Boolean(limits.up);
  const newest = points.filter((point) => point.down || point.up).at(-1);
  return html`
    <${Legend} of=${["got", "offered", "entitled", "limit"]
      .filter((name) => series.some((each) => each.name === name))
      .map((name) => ({ className: name, name: name === "got" ? got : name }))} />
    <p class="hint">${isBothWays ? `${capital(directions[0])} above the axis, ${directions[1]} below it.` : `${capital(directions[0])}; nothing went ${directions[1]}.`}</p>
    <${Drawing} points=${points} series=${isBothWays ? series : series.filter(({ of }) => points.some((point) => of(point) > 0))} height=${260} written=${axisRate} zero=${isBothWays} label=${`Rates over ${range}; newest: ${rate(newest?.down?.gotBps)} ${directions[0]}, ${rate(newest?.up?.gotBps)} ${directions[1]}`} />
    <${Strips} points=${points} />
    ${delays.length > 0 &&
    html`<h3>Delay under its limits: 95 of 100 packets waited at most</h3>
      <${Legend} of=${delays.map((each) => ({ className: each.dash ? "delay dashed" : "delay", name: each.dash ? "up" : "down" }))} />
      <${Drawing} points=${points} series=${delays} height=${120} written=${millis} label=${`Delay; newest: ${millis(newest?.down?.delayMillis?.p95)} down`} />`}
    <details>
      <summary>As a table</summary>
      <${Table} label="Usage" head=${["At", [`offered ${directions[0]}`], [`${got} ${directions[0]}`], [`delay ${directions[0]}, 95 of 100`], [`offered ${directions[1]}`], [`${got} ${directions[1]}`]]}>
        ${points.slice(-60).reverse().map(
          (point) => html`<tr>
            <th scope="row"><${Time} at=${point.at} /></th>
            <td class="number">${rate(point.down?.offeredBps)}</td>
            <td class="number">${rate(point.down?.gotBps)}</td>
            <td class="number">${millis(point.down?.delayMillis?.p95)}</td>
            <td class="number">${rate(point.up?.offeredBps)}</td>
            <td class="number">${rate(point.up?.gotBps)}</td>
          </tr>`,
        )}
      <//>
    </details>
  `;
}
