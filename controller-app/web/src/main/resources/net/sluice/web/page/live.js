// What happens now: rates between readings of counters, kept for some minutes while the page is open.

import { useEffect, useState } from "preact/hooks";
import { get } from "./api.js";

const KEPT_MILLIS = 300_000;
const EVERY_SECONDS = 2;

/** A reading that took so much longer than usual is none: nobody knows when it was. */
const SLOW_MILLIS = 1500;

/** Points by path, so that a view that is come back to goes on. */
const kept = new Map();

/** How long 95 of 100 packets waited, by counts up to each bound; null if none did. */
function wait(waits, before) {
  const counts = waits.map((each, i) => Math.max(0, each.packets - (before?.[i]?.packets ?? 0)));
  let left = 0.95 * counts.reduce((sum, each) => sum + each, 0);
  if (left === 0) {
    return null;
  }
  for (let i = 0, low = 0; i < counts.length; low = waits[i].upToMillis ?? low, i++) {
    const high = waits[i].upToMillis ?? low;
    if (left <= counts[i]) {
      return low + ((high - low) * left) / counts[i];
    }
    left -= counts[i];
  }
  return null;
}

const BYTES = {
  offeredBps: "bytesIn",
  gotBps: "bytesOut",
  policedBps: "bytesPoliced",
  overflowedBps: "bytesOverflowed",
  suspendedBps: "bytesSuspended",
};

/** Rates of one direction of a subscriber between two readings. */
function between(now, before, seconds) {
  const rate = (count, countBefore) => Math.max(0, (8 * ((count ?? 0) - (countBefore ?? 0))) / seconds);
  const rates = Object.fromEntries(Object.entries(BYTES).map(([name, counter]) => [name, rate(now[counter], before[counter])]));
  rates.droppedBps = rate(now.shaped?.bytesDropped, before.shaped?.bytesDropped);
  const p95 = now.shaped ? wait(now.shaped.waits ?? [], before.shaped?.waits) : null;
  return { ...rates, delayMillis: p95 === null ? null : { p95 } };
}

/** Points of a subscriber from its counters. */
export function ofSubscriber(now, before, seconds) {
  return Object.fromEntries(
    ["down", "up"].map((direction) => [direction, now[direction] && before[direction] ? between(now[direction], before[direction], seconds) : null]),
  );
}

/**
 * Reads a path again and again while the page is seen.
 *
 * @param points what two answers and the seconds between them make
 * @param name of the points, where a path has those of several things
 * @return the newest answer, or why there is none, and the points of the last minutes
 */
export function useLive(path, points, name = path) {
  const [, draw] = useState(0);
  const [asked, setAsked] = useState({});
  useEffect(() => {
    const mine = kept.get(name) ?? { all: [] };
    kept.set(name, mine);
    const stop = new AbortController();
    let isAsking = false;
    const read = async () => {
      if (isAsking || document.hidden) {
        return;
      }
      isAsking = true;
      const begun = performance.now();
      try {
        const value = await get(path, { signal: stop.signal });
        const ended = performance.now();
        const at = (begun + ended) / 2;
        const seconds = (at - mine.at) / 1000;
        if (ended - begun > SLOW_MILLIS) {
          mine.at = undefined;
        } else {
          if (seconds > 0 && seconds < 4 * EVERY_SECONDS) {
            mine.all.push({ at: new Date().toISOString(), ...points(value, mine.value, seconds) });
          } else if (mine.all.length > 0) {
            mine.all.push({ at: new Date().toISOString(), down: null, up: null });
          }
          mine.at = at;
          mine.value = value;
        }
        const oldest = Date.now() - KEPT_MILLIS;
        mine.all = mine.all.filter((each) => Date.parse(each.at) > oldest);
        setAsked({ path, value });
      } catch (problem) {
        if (!stop.signal.aborted) {
          mine.at = undefined;
          setAsked((last) => ({ ...last, problem }));
        }
      }
      isAsking = false;
      draw((n) => n + 1);
    };
    setAsked({});
    read();
    const every = setInterval(read, EVERY_SECONDS * 1000);
    return () => {
      clearInterval(every);
      stop.abort();
    };
  }, [name]);
  return { ...asked, points: kept.get(name)?.all ?? [] };
}
