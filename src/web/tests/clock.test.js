import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.js";

const { timeAfter, shownTime, timeText, limits, startTimes, hasClock } = load(["play/clock.js"],
  ["timeAfter", "shownTime", "timeText", "limits", "startTimes", "hasClock"]);
const BYOYOMI = { kind: "byoyomi", main: 60, byoyomi: 10 };
const FISCHER = { kind: "fischer", main: 60, increment: 5 };

test("byoyomi starts when the main time is used up", () => {
  assert.equal(timeAfter(BYOYOMI, 60000, 20000), 40000);
  assert.equal(timeAfter(BYOYOMI, 5000, 15000), 0);
  assert.equal(timeAfter(BYOYOMI, 5000, 15001), null);
  assert.equal(shownTime(BYOYOMI, 5000, 2000), 3000);
  assert.equal(shownTime(BYOYOMI, 5000, 7000), 8000);
  assert.equal(shownTime(BYOYOMI, 0, 12000), 0);
});

test("the increment follows the move", () => {
  assert.equal(timeAfter(FISCHER, 60000, 20000), 45000);
  assert.equal(timeAfter(FISCHER, 1000, 1001), null);
  assert.equal(shownTime(FISCHER, 1000, 1500), 0);
  assert.deepEqual([...startTimes(FISCHER)], [60000, 60000]);
});

test("the engine gets the limits of the game", () => {
  assert.equal(limits(BYOYOMI, [1000.4, 2000]), "go btime 1000 wtime 2000 byoyomi 10000");
  assert.equal(limits(FISCHER, [1, 2]), "go btime 1 wtime 2 binc 5000 winc 5000");
  assert.equal(limits({ kind: "nodes", nodes: 500 }, [NaN, NaN]), "go nodes 500");
  assert.equal(limits({ kind: "seconds", seconds: .5 }, [NaN, NaN]), "go movetime 500");
  assert.ok(hasClock(BYOYOMI) && !hasClock({ kind: "nodes" }));
});

test("a started second counts", () => {
  assert.equal(timeText(61001), "1:02");
  assert.equal(timeText(9000), "0:09");
  assert.equal(timeText(0), "0:00");
});
