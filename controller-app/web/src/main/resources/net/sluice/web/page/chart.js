// Usage over time: rates down above the axis and up below it, and under them the delay.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { getIfThere } from "./api.js";
import { axisRate, millis, rate } from "./format.js";
import { Awaited, Empty, Table, Time, html, useAsked } from "./parts.js";

const RANGES = [
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
            points: { show: points.length < 3, size: 5 },
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

const minus = (value) => (value === null || value === undefined ? value : -value);

function Legend({ of }) {
  return html`<ul class="legend">${of.map((each) => html`<li><i class=${each.className}></i>${each.name}</li>`)}</ul>`;
}

/** What a subscriber, a tree, a port or a policy offered and got over time. */
export function Usage({ kind, path, limits = {} }) {
  const [range, setRange] = useState("1h");
  const seconds = RANGES.find(([name]) => name === range)[2];
  const usage = useAsked(
    (signal) => {
      const to = new Date();
      const from = new Date(to - seconds * 1000);
      return getIfThere(kind, `${path}?from=${from.toISOString()}&to=${to.toISOString()}`, { signal }).then((value) => value ?? null);
    },
    [path, range],
    10,
  );
  return html`<${Awaited} of=${usage}>${(told) => {
    if (told === null) {
      return html`<${Empty}>This controller does not measure usage yet; its counters tell what has passed since the switch started.<//>`;
    }
    const { points, stepSeconds } = told;
    const isEmpty = points.every((point) => !point.down && !point.up);
    const series = [
      { of: (point) => point.down?.offeredBps, name: "offered", colour: "--offered", dash: [3, 3] },
      { of: (point) => point.down?.gotBps, name: "got", colour: "--got", fill: true },
      { of: (point) => minus(point.up?.offeredBps), name: "offered", colour: "--offered", dash: [3, 3] },
      { of: (point) => minus(point.up?.gotBps), name: "got", colour: "--got", fill: true },
      ...(limits.down ? [{ of: () => limits.down, name: "limit", colour: "--limit", dash: [8, 4] }] : []),
      ...(limits.up ? [{ of: () => -limits.up, name: "limit", colour: "--limit", dash: [8, 4] }] : []),
    ];
    const delays = [
      { of: (point) => point.down?.delayMillis?.p95, name: "down, 95 of 100 packets", colour: "--delay" },
      { of: (point) => point.up?.delayMillis?.p95, name: "up, 95 of 100 packets", colour: "--delay", dash: [3, 3] },
    ];
    const hasDelay = points.some((point) => delays.some(({ of }) => of(point) !== undefined && of(point) !== null));
    const newest = points.filter((point) => point.down || point.up).at(-1);
    return html`
      <div class="ranges" role="group" aria-label="Range">
        ${RANGES.map(([name, words]) => html`<button class="quiet" aria-pressed=${name === range} onClick=${() => setRange(name)}>${words}</button>`)}
        <span class="hint">a point is ${stepSeconds >= 3600 ? `${stepSeconds / 3600} h` : stepSeconds >= 60 ? `${stepSeconds / 60} min` : `${stepSeconds} s`}</span>
      </div>
      ${isEmpty
        ? html`<${Empty}>Nothing was measured in this time. The first figures come with the second sweep, a minute after the start.<//>`
        : html`
            <${Legend} of=${[
              { className: "got", name: "got" },
              { className: "offered", name: "offered" },
              ...(limits.down || limits.up ? [{ className: "limit", name: "limit" }] : []),
            ]} />
            <p class="hint">Down above the axis, up below it.</p>
            <${Drawing} points=${points} series=${series} height=${260} written=${axisRate} zero=${true} label=${`Rates over ${range}; newest: ${rate(newest?.down?.gotBps)} down, ${rate(newest?.up?.gotBps)} up`} />
            ${hasDelay &&
            html`<h3>Delay under its limits</h3>
              <${Legend} of=${[{ className: "delay", name: "down" }, { className: "delay dashed", name: "up" }]} />
              <${Drawing} points=${points} series=${delays} height=${120} written=${millis} label=${`Delay; newest: ${millis(newest?.down?.delayMillis?.p95)} down`} />`}
            <details>
              <summary>As a table</summary>
              <${Table} label="Usage" head=${["At", ["offered down"], ["got down"], ["delay down, 95 of 100"], ["offered up"], ["got up"]]}>
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
          `}
    `;
  }}<//>`;
}
