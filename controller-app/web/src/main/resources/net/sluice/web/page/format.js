// Numbers and times as people read them, each with its unit.

const PREFIXES = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
];

/** At most three digits that count: 25, 2.5, 0.25. */
function short(number) {
  const size = Math.abs(number);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return String(Number(number.toFixed(digits)));
}

function scaled(number, unit) {
  const size = Math.abs(number);
  const [by, prefix] = PREFIXES.find(([least]) => size >= least * 0.9995) ?? PREFIXES.at(-1);
  return `${short(number / by)} ${prefix}${unit}`;
}

/** A rate, given in bit/s; a dash where it is not known. */
export function rate(bps) {
  return bps === null || bps === undefined ? "–" : scaled(bps, "bit/s");
}

/** A rate for the axis of a chart, whose sign only tells the direction. */
export function axisRate(bps) {
  return bps === 0 ? "0" : rate(Math.abs(bps));
}

export function bytes(count) {
  return count === null || count === undefined ? "–" : scaled(count, "B");
}

/** A number of things, with thousands apart. */
export function count(number) {
  return number === null || number === undefined ? "–" : number.toLocaleString("en-GB");
}

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function millis(ms) {
  if (ms === null || ms === undefined) {
    return "–";
  }
  return ms >= 1000 ? `${short(ms / 1000)} s` : `${short(ms)} ms`;
}

export function percent(part) {
  if (part === null || part === undefined) {
    return "–";
  }
  return part > 0 && part < 0.0001 ? "<0.01 %" : `${short(part * 100)} %`;
}

const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const DAY = { day: "2-digit", month: "short" };

/** The local time of a moment, with the day unless that is today. */
export function local(at) {
  const when = new Date(at);
  const isToday = when.toDateString() === new Date().toDateString();
  const time = when.toLocaleTimeString("en-GB", TIME);
  return isToday ? time : `${when.toLocaleDateString("en-GB", DAY)} ${time}`;
}

/** A moment in UTC, for who compares it with logs. */
export function utc(at) {
  return new Date(at).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

/** The rate that somebody has typed, in bit/s: 25M, 1.5 Gbit/s, 300k; null if it is none. */
export function parseRate(text) {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([kKMGT]?)(?:bit(?:\/s|ps)?|bps)?\s*$/.exec(text);
  if (!found) {
    return null;
  }
  const by = { "": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 }[found[2]];
  return Math.round(Number(found[1]) * by);
}

/** A rate so that parseRate reads it. */
export function typedRate(bps) {
  const [by, prefix] = PREFIXES.find(([least]) => bps >= least && bps % (least / 1e3) === 0) ?? [1, ""];
  return `${bps / by}${prefix}`;
}
